import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAgent, type Bot, type Person } from '../rig.ts';
import { Scene } from './scene.ts';

let scene: Scene;
let person: Person;
let bot: Bot;
let conversationId: string;

beforeAll(async () => {
  scene = await Scene.start();
});
beforeEach(async () => {
  person = await scene.victim();
  bot = await scene.world.bot();
  ({ conversationId } = await addAgent(person.device, bot.agentId));
});
afterEach(async () => {
  scene.evil.repent();
  await person?.client.close();
});
afterAll(() => scene?.end());

/** Nothing is left of the lies. While they last, a device that has to look up the agent again rightly waits. */
const works = async () => {
  scene.evil.repent();
  expect(await bot.call(conversationId, { tool_name: 'say_low' })).toMatchObject({ status: 'ok' });
};
const invalid = { code: 'REPLY_INVALID' };

describe('TR-7 a server whose replies break their contracts', () => {
  it('TR-7 attack: wrong types, and things that are missing', async () => {
    const agents = 'GET /agents/:id';
    const stop = scene.evil.answer(agents, ({ body }) => ({ ...body, capability_manifest_version: 'one' }));
    await expect(person.device.agents.inspect({ agentId: bot.agentId })).rejects.toMatchObject(invalid);
    stop();
    scene.evil.answer(agents, () => []);
    await expect(person.device.agents.inspect({ agentId: bot.agentId })).rejects.toMatchObject(invalid);
    scene.evil.answer('GET /h2a/relations', () => ({ relations: [{}], next_cursor: null }));
    await expect(person.device.relations.sync()).rejects.toMatchObject(invalid);
    await works();
  });

  it('TR-7 attack: another status than success has', async () => {
    scene.evil.answer('GET /h2a/relations', (answer) => {
      answer.status = 206;
    });
    await expect(person.device.relations.sync()).rejects.toMatchObject(invalid);
    await works();
  });

  it('TR-7 attack: no JSON at all, and an error in the words of a page', async () => {
    scene.evil.answer('GET /h2a/relations', (answer) => {
      answer.raw = '<script>alert(1)</script>';
    });
    await expect(person.device.relations.sync()).rejects.toMatchObject(invalid);
    scene.evil.answer('GET /agents/:id', (answer) => {
      answer.status = 500;
      answer.raw = '<h1>secret internals</h1>';
    });
    const refused = await person.device.agents.inspect({ agentId: bot.agentId }).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(Error);
    expect(String(refused)).not.toContain('secret internals');
  });

  it('TR-7 attack: a reply without an end is not read to its end', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(1024 * 1024, 32);
    async function* endless() {
      for (; sent < 200; sent++) yield chunk;
    }
    scene.evil.answer('GET /agents/:id', (answer) => {
      answer.raw = endless();
    });
    await expect(person.device.agents.inspect({ agentId: bot.agentId })).rejects.toMatchObject({
      code: expect.stringMatching(/REPLY_INVALID|UNREACHABLE/),
    });
    expect(sent).toBeGreaterThan(0);
    scene.evil.repent();
    await works();
  });

  it('TR-7 attack: __proto__ and constructor as keys change no prototype', async () => {
    const poison = (text: string) => `${text.slice(0, -1)},"__proto__":{"polluted":true},"constructor":{"polluted":1}}`;
    for (const route of ['GET /agents/:id', 'GET /h2a/relations', 'GET /h2a/relations/:id', 'GET /devices']) {
      scene.evil.answer(route, (answer) => {
        answer.raw = poison(JSON.stringify(answer.body));
      });
    }
    scene.evil.deliver('message.new', (frame) => poison(JSON.stringify(frame)));
    await person.device.agents.inspect({ agentId: bot.agentId }).catch(() => {});
    await person.device.relations.sync().catch(() => {});
    await bot.send(conversationId, { type: 'text', text: 'hello' });
    scene.evil.repent();
    await works();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('TR-1 attack: frames that are no frames: the line goes on', async () => {
    const nonsense = [
      'not json',
      '[]',
      'null',
      '{"type":7}',
      '{"type":"__proto__"}',
      '{"type":"message.new"}',
      `{"type":"message.new","envelope":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      JSON.stringify({ type: 'claim.result', message_id: 'x', claimed: 'yes' }),
    ];
    for (const frame of nonsense) scene.evil.push(frame);
    await works();
    expect(person.ran).toHaveLength(1);
  });
});
