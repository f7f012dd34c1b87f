import { until } from '@parley/testkit/until';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAgent, approve, type Bot, createDisk, deviceOf, Hands, newClient, type Person, waitUntil } from '../rig.ts';
import { Mallory, problem, Scene } from './scene.ts';

const DAY = 24 * 60 * 60 * 1_000;
const FAR = 1_000_000;
const NOWHERE = 'f'.repeat(64);

let scene: Scene;
let person: Person;
let bot: Bot;
let conversationId: string;
let relationId: string;
let disk: ReturnType<typeof createDisk>;
let eventId = 10 ** 9;

beforeAll(async () => {
  scene = await Scene.start();
});
beforeEach(async () => {
  disk = createDisk();
  person = await scene.victim({ store: disk.open() });
  bot = await scene.world.bot();
  ({ conversationId, relationId } = await addAgent(person.device, bot.agentId, ['note:low']));
});
afterEach(async () => {
  scene.evil.repent();
  await person?.client.close();
});
afterAll(() => scene?.end());

const call = () => bot.call(conversationId, { tool_name: 'say_low' });
const ok = { status: 'ok' };
const push = (event: object) => scene.evil.push({ event_id: eventId++, ...event });
const onRelations = (change: Record<string, unknown>) => {
  for (const route of ['GET /h2a/relations', 'GET /h2a/relations/:id']) {
    scene.evil.answer(route, ({ body }) => {
      for (const relation of body.relations ?? [body]) Object.assign(relation, change);
    });
  }
};
const overs = (kind: string) =>
  person.device.problems.getSnapshot().filter((one) => one.problem.kind === kind && one.over !== undefined);

describe('EE-24 a lie does not last', () => {
  it('EE-24 attack: one lie lasts: a forged manifest event, alone or with rows that bear it out, here and on a second device', async () => {
    const second = await newClient({ ...scene.world.server, url: scene.evil.url }, { deviceName: 'Phone' });
    await second.client.login(person.credentials);
    const phone = await approve(person, second.client);
    await phone.relations.sync();
    const manifest = { agent_id: bot.agentId, new_manifest_version: FAR, new_manifest_hash: NOWHERE };
    push({ type: 'h2a.manifest_updated', ...manifest });
    await problem(person, 'manifest');
    expect(overs('manifest')).toMatchObject([{ problem: { problem: 'dropped' } }]);
    expect(await call()).toMatchObject(ok);

    scene.evil.answer('GET /agents/:id', ({ body }) => ({
      ...body,
      capability_manifest_version: FAR,
      capability_manifest_hash: NOWHERE,
    }));
    onRelations({ current_manifest_version: FAR, current_manifest_hash: NOWHERE, pending_scopes: ['note:low'] });
    await Promise.all([person.device.relations.sync(), phone.relations.sync()]);
    expect(await call()).toMatchObject({ status: 'denied', reason: 'tool_not_declared' });
    expect(disk.entries.get(`client/announced/${bot.agentId}`)).toContain(NOWHERE);
    // Nobody does anything but the server, which is honest again, and the agent, which calls.
    scene.evil.repent();
    expect(await call()).toMatchObject(ok);
    await second.client.close();

    // The same over a restart: what was claimed is on disk.
    onRelations({ current_manifest_version: FAR, current_manifest_hash: NOWHERE });
    scene.evil.answer('GET /agents/:id', (answer) => {
      answer.status = 503;
    });
    await person.device.relations.sync();
    await person.client.close();
    scene.evil.repent();
    const again = await newClient({ ...scene.world.server, url: scene.evil.url }, { store: disk.open() });
    expect(await call()).toMatchObject(ok);
    await again.client.close();
  });

  it('EE-24 attack: one lie lasts: rows that end the relation, another key, a refused row; a call makes the device look again', async () => {
    onRelations({ status: 'ended' });
    push({ type: 'relation.revoked', agent_id: bot.agentId, relation_id: relationId, reason: 'user' });
    await waitUntil(person.device.relations, ([one]) => one?.status === 'ended');
    expect(await call()).toMatchObject({ status: 'denied' });
    scene.evil.repent();
    expect(await call()).toMatchObject(ok);

    onRelations({ conversation_id: bot.agentId });
    await person.device.relations.sync();
    expect(await problem(person, 'row')).toMatchObject({ subject: 'relation', id: relationId });
    scene.evil.repent();
    await person.device.relations.sync();
    expect(overs('row')).toHaveLength(1);
    expect(person.device.relations.getSnapshot()[0]).not.toHaveProperty('problem');

    const mallory = new Mallory();
    scene.evil.answer('GET /agents/:id', ({ body }) => ({ ...body, ...mallory.agentKeys(bot.agentId) }));
    push({ type: 'relation.restored', agent_id: bot.agentId, relation_id: relationId, reason: 'agent' });
    await problem(person, 'identity_changed');
    await waitUntil(person.device.relations, ([one]) => one?.problem === 'identity_changed');
    scene.evil.repent();
    expect(await call()).toMatchObject(ok);
    await until(() => expect(overs('identity_changed')).toHaveLength(1));
  });

  it('EE-24 attack: one lie lasts: a page of relations that is held back does not undo what was read since', async () => {
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    let isHeld = false;
    scene.evil.answer('GET /h2a/relations', (answer) => {
      for (const relation of answer.body.relations) relation.pending_scopes = ['note:low'];
      const page = new TextEncoder().encode(JSON.stringify(answer.body));
      answer.raw = (async function* () {
        isHeld = true;
        await freed;
        yield page;
      })();
    });
    const syncing = person.device.relations.sync();
    await until(() => isHeld);
    scene.evil.repent();
    let reads = 0;
    scene.evil.answer('GET /h2a/relations/:id', () => void reads++);
    // One after the other: the second is asked for when the page is held already, whatever was under way before.
    for (let n = 0; n < 2; n++)
      push({ type: 'relation.restored', agent_id: bot.agentId, relation_id: relationId, reason: 'agent' });
    await until(() => reads >= 2);
    free();
    await syncing;
    const [view] = person.device.relations.getSnapshot();
    expect([view?.needsReview, view?.scopes.find(({ id }) => id === 'note:low')?.granted]).toEqual([false, true]);
    expect(await call()).toMatchObject(ok);
  });

  it('EE-24 attack: one lie lasts: an event that calls this device revoked does not sign it out', async () => {
    push({ type: 'device.changed', device_id: person.device.deviceId, change: 'revoked' });
    push({
      type: 'h2a.manifest_updated',
      agent_id: bot.agentId,
      new_manifest_version: FAR,
      new_manifest_hash: NOWHERE,
    });
    // Events are handled in order: the first one is done.
    await problem(person, 'manifest');
    expect(person.client.session.getSnapshot().state).toBe('ready');
    expect(await call()).toMatchObject(ok);
  });
});

describe('EE-25 clocks', () => {
  it('EE-25 attack: a clock 40 days ahead at start prunes the whole audit log', async () => {
    expect(await call()).toMatchObject(ok);
    await person.device.conversations.sendText(conversationId, 'hello');
    await person.client.close();
    const server = { ...scene.world.server, url: scene.evil.url };
    // As if it had been there for long: only the server's time keeps it from being removed.
    await disk
      .open()
      .write(new Map([['audit/marks', JSON.stringify([{ at: '2020-01-01T00:00:00.000Z', count: 99 }])]]));
    const hands = new Hands();
    hands.oversleep(40 * DAY);
    let synced = 0;
    scene.evil.answer('GET /conversations', () => void synced++);
    const { client } = await newClient(server, { store: disk.open(), hands });
    const device = deviceOf(client);
    const [noted] = await waitUntil(device.problems, (all) => all.some((one) => one.problem.kind === 'clock'));
    expect(noted!.problem).toMatchObject({ byMs: expect.closeTo(40 * DAY, -6) });
    await waitUntil(device.connection, (status) => status === 'online');
    // It is read after whatever is old was removed.
    await until(() => expect(synced).toBeGreaterThan(0));
    expect(await device.audit.list()).toHaveLength(1);
    expect(await device.audit.verify()).toMatchObject({ ok: true, entries: 1 });

    // Put right, the two agree: the problem is over..
    hands.oversleep(-40 * DAY);
    await device.relations.sync();
    expect(device.problems.getSnapshot().find((one) => one.problem.kind === 'clock')?.over).toBeDefined();
    await client.close();
  });
});
