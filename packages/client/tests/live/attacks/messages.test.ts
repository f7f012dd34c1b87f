import { randomUUID } from 'node:crypto';
import type { Anything } from '@parley/testkit/hostile';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAgent, approve, type Bot, deviceOf, newClient, nextPrompt, type Person, toolCall } from '../rig.ts';
import { problem, Scene } from './scene.ts';

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
  expect(await bot.call(conversationId, { tool_name: 'say_low', arguments: { text: 'first' } })).toMatchObject({
    status: 'ok',
  });
});
afterEach(async () => {
  scene.evil.repent();
  await person?.client.close();
});
afterAll(() => scene?.end());

const said = () => person.ran.map(({ args }) => args.text);
/** An honest call that ends only after everything the server did before it was handled. */
const settle = async () => {
  scene.evil.repent();
  const answer = await bot.call(conversationId, { tool_name: 'say_low', arguments: { text: 'last' } });
  expect(answer).toMatchObject({ status: 'ok' });
};
/** Changes calls on their way to the device. */
const onCalls = (change: (frame: Anything) => Anything) =>
  scene.evil.deliver('message.new', (frame) =>
    frame.msg_subtype === 'artifact_tool_call' ? change(structuredClone(frame)) : frame,
  );
const sendCall = (text: string, tool = 'say_low') =>
  bot.send(conversationId, toolCall({ tool_name: tool, arguments: { text } }));

async function hasTwoWraps(): Promise<boolean> {
  await bot.send(conversationId, { type: 'text', text: 'Who is there?' });
  return scene.evil.delivered.findLast((one) => one.msg_subtype === 'text')?.envelope.wraps.length === 2;
}

/** A second device of the same person. */
async function addPhone() {
  const phone = await newClient(scene.world.server, { deviceName: 'Phone', baseUrl: scene.evil.url });
  scene.world.atEnd(() => phone.client.close());
  await phone.client.login(person.credentials);
  await approve(person, phone.client);
  // Until the agent has heard of it, calls are for the first device alone.
  await expect.poll(hasTwoWraps).toBe(true);
  return phone;
}

describe('EE-11 a server that repeats, drops and reorders', () => {
  it('EE-11 attack: replay an envelope, as it was and under another number: it runs once', async () => {
    await sendCall('once');
    await expect.poll(said).toEqual(['first', 'once']);
    const frame = scene.evil.delivered.findLast(({ type }) => type === 'message.new');
    scene.evil.push(frame);
    scene.evil.push({ ...frame, message_id: randomUUID(), conversation_seq: frame.conversation_seq + 1_000 });
    await sendCall('twice');
    await expect.poll(said).toEqual(['first', 'once', 'twice']);
  });

  it('EE-11 attack: deliver everything twice: each call runs once and is answered once', async () => {
    scene.evil.deliver('*', (frame) => [frame, structuredClone(frame)]);
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((text) => bot.call(conversationId, { tool_name: 'say_low', arguments: { text } })),
    );
    expect(answers).toMatchObject([{ status: 'ok' }, { status: 'ok' }, { status: 'ok' }]);
    await settle();
    expect(said().sort()).toEqual(['a', 'b', 'c', 'first', 'last']);
    expect(bot.received).toHaveLength(5);
  });

  it('EE-4 attack: drop a call: it does not run, and those after it do', async () => {
    const stop = onCalls(() => undefined);
    await sendCall('lost');
    await expect.poll(() => scene.evil.taken.length).toBeGreaterThan(0);
    await sendCall('lost too');
    stop();
    await settle();
    expect(said()).toEqual(['first', 'last']);
  });

  it('EE-4 attack: deliver calls in another order: each runs once', async () => {
    const held: Anything[] = [];
    onCalls((frame) => {
      held.push(frame);
      return held.length < 3 ? undefined : held.reverse();
    });
    const answers = ['a', 'b', 'c'].map((text) =>
      bot.call(conversationId, { tool_name: 'say_low', arguments: { text } }),
    );
    expect(await Promise.all(answers)).toMatchObject([{ status: 'ok' }, { status: 'ok' }, { status: 'ok' }]);
    expect(said().slice(1).sort()).toEqual(['a', 'b', 'c']);
  });
});

describe('EE-3 a server that rewrites messages', () => {
  it('EE-3 attack: move an envelope to another conversation', async () => {
    const other = await scene.world.bot();
    const elsewhere = await addAgent(person.device, other.agentId);
    onCalls((frame) => ({ ...frame, conversation_id: elsewhere.conversationId, conversation_seq: 1 }));
    await sendCall('moved');
    expect(await problem(person, 'undecryptable')).toBeDefined();
    await settle();
    expect(said()).toEqual(['first', 'last']);
  });

  it('EE-3 attack: move an envelope to another conversation, header and all', async () => {
    const other = await scene.world.bot();
    const elsewhere = await addAgent(person.device, other.agentId);
    onCalls((frame) => {
      frame.envelope.header.conversation_id = elsewhere.conversationId;
      return { ...frame, conversation_id: elsewhere.conversationId, conversation_seq: 1 };
    });
    await sendCall('moved');
    expect(await problem(person, 'undecryptable')).toBeDefined();
    await settle();
    expect(said()).toEqual(['first', 'last']);
  });

  it('TC-6 attack: relabel a call as another kind of message', async () => {
    onCalls((frame) => {
      frame.envelope.header.msg_subtype = 'artifact';
      return { ...frame, msg_subtype: 'artifact' };
    });
    await sendCall('relabelled');
    expect(await problem(person, 'undecryptable')).toMatchObject({ conversationId });
    await settle();
    expect(said()).toEqual(['first', 'last']);
  });

  it('TC-6 attack: relabel it outside of the envelope only: the label that was signed counts', async () => {
    onCalls((frame) => ({ ...frame, msg_subtype: 'text', content_type: 'text' }));
    expect(await bot.call(conversationId, { tool_name: 'say_low', arguments: { text: 'x' } })).toMatchObject({
      status: 'ok',
    });
    const { messages } = person.device.conversations.timeline(conversationId).getSnapshot();
    expect(messages.filter(({ payload }) => payload.type === 'text')).toEqual([]);
  });

  it('EE-3 attack: lie about who sent it', async () => {
    const other = await scene.world.bot();
    await addAgent(person.device, other.agentId);
    onCalls((frame) => {
      frame.envelope.header.sender = { kind: 'agent', id: other.agentId };
      return { ...frame, sender: { kind: 'agent', id: other.agentId } };
    });
    await sendCall('someone else');
    expect(await problem(person, 'undecryptable')).toBeDefined();
    await settle();
    expect(said()).toEqual(['first', 'last']);
  });

  it('EE-3 attack: answer in the place of the device: the agent takes nothing the device has not sealed', async () => {
    const deceived = await scene.deceivedBot();
    const relation = await addAgent(person.device, deceived.agentId);
    expect(await deceived.call(relation.conversationId, { tool_name: 'say_low' })).toMatchObject({ status: 'ok' });
    scene.evil.deliver('message.new', (frame, { kind }) => {
      if (kind !== 'agent') return frame;
      const forged = structuredClone(frame);
      forged.envelope.ciphertext = `AAAA${forged.envelope.ciphertext.slice(4)}`;
      return [forged];
    });
    const answered = deceived.call(relation.conversationId, { tool_name: 'say_low' });
    answered.catch(() => {});
    await expect.poll(() => person.ran.length).toBe(3);
    expect(deceived.received).toHaveLength(1);
  });
});

describe('CG-7 a server that plays with consent', () => {
  it('CG-7 attack: replay a call that was approved: nobody is asked, nothing runs', async () => {
    const answer = bot.call(conversationId, { tool_name: 'say_high', arguments: { text: 'approved' } });
    (await nextPrompt(person.device)).allow();
    expect(await answer).toMatchObject({ status: 'ok' });
    const frame = scene.evil.delivered.findLast((one) => one.msg_subtype === 'artifact_tool_call');
    for (const seq of [0, 1_000, 2_000]) {
      scene.evil.push({ ...frame, message_id: randomUUID(), conversation_seq: frame.conversation_seq + seq });
    }
    await sendCall('after');
    await expect.poll(said).toEqual(['first', 'approved', 'after']);
    expect(person.device.prompts.getSnapshot()).toEqual([]);
  });

  it('CG-11 attack: say that the claim was given to someone else: it does not run', async () => {
    const phone = await addPhone();
    scene.evil.deliver('message.claimed', () => undefined);
    let lies = 0;
    scene.evil.deliver('claim.result', (frame) => {
      lies++;
      return { ...frame, claimed: false };
    });
    await sendCall('never');
    await expect.poll(() => lies).toBe(2);
    scene.evil.repent();
    await sendCall('then');
    await expect.poll(() => [...said(), ...phone.ran.map(({ args }) => args.text)]).toEqual(['first', 'then']);
  });

  it('CG-11 attack: say of a call for one device alone that another has it: nobody else can, so it is asked and run', async () => {
    const answer = bot.call(conversationId, { tool_name: 'say_high', arguments: { text: 'anyway' } });
    const prompt = await nextPrompt(person.device);
    const { message_id } = scene.evil.delivered.findLast((one) => one.msg_subtype === 'artifact_tool_call');
    const lie = { type: 'message.claimed', message_id, conversation_id: conversationId, device_id: randomUUID() };
    scene.evil.push(lie);
    await sendCall('behind it');
    await expect.poll(said).toEqual(['first', 'behind it']);
    prompt.allow();
    expect(await answer).toMatchObject({ status: 'ok' });
    expect(said()).toEqual(['first', 'behind it', 'anyway']);
  });

  it('CG-11 attack: give claims nobody asked for: nothing runs, nobody is asked twice', async () => {
    const answer = bot.call(conversationId, { tool_name: 'say_high', arguments: { text: 'asked' } });
    const prompt = await nextPrompt(person.device);
    const frame = scene.evil.delivered.findLast((one) => one.msg_subtype === 'artifact_tool_call');
    const { message_id } = frame;
    scene.evil.push({ type: 'claim.result', message_id, conversation_id: conversationId, claimed: true });
    scene.evil.push({ type: 'pass.last', message_id, conversation_id: conversationId });
    prompt.deny();
    expect(await answer).toMatchObject({ status: 'denied', reason: 'user_refused' });
    expect(said()).toEqual(['first']);
  });

  it('CG-11 attack: give one claim to two devices: what was asked about runs only where someone said yes', async () => {
    const phone = await addPhone();
    scene.evil.deliver('claim.result', (frame) => ({ ...frame, claimed: true }));
    scene.evil.deliver('message.claimed', () => undefined);
    const answer = bot.call(conversationId, { tool_name: 'say_high', arguments: { text: 'here' } });
    const [here, there] = await Promise.all([nextPrompt(person.device), nextPrompt(deviceOf(phone.client))]);
    here.allow();
    expect(await answer).toMatchObject({ status: 'ok' });
    expect(said()).toEqual(['first', 'here']);
    expect(phone.ran).toEqual([]);
    there.deny();
  });
});
