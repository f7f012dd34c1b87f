import { generateEd25519, signEntry } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { type BoundEntry, entryHash } from '@parley/protocol';
import type { Anything } from '@parley/testkit/hostile';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MANIFEST } from '../../guard-fixtures.ts';
import { addAgent, type Bot, createDisk, deviceOf, newClient, nextPrompt, type Person, waitUntil } from '../rig.ts';
import { problem, Scene } from './scene.ts';

let scene: Scene;
let person: Person;
let bot: Bot;
let conversationId: string;
let relationId: string;

beforeAll(async () => {
  scene = await Scene.start();
});
beforeEach(async () => {
  person = await scene.victim();
  bot = await scene.world.bot();
  ({ conversationId, relationId } = await addAgent(person.device, bot.agentId, ['note:low', 'note:high']));
});
afterEach(async () => {
  scene.evil.repent();
  await person?.client.close();
});
afterAll(() => scene?.end());

const ROUTES = ['GET /h2a/relations', 'GET /h2a/relations/:id'];
/** Changes every relation the server shows. */
const onRelations = (change: (relation: Anything) => void) => {
  for (const route of ROUTES) {
    scene.evil.answer(route, ({ body }) => {
      for (const relation of body.relations ?? [body]) change(relation);
    });
  }
};
const onLedger = (change: (reply: Anything) => void) =>
  scene.evil.answer('GET /h2a/relations/:id/ledger', ({ body }) => change(body));
const call = (level: string) => bot.call(conversationId, { tool_name: `say_${level}` });
const history = () => person.device.relations.history(relationId);
const view = () => person.device.relations.getSnapshot().find((one) => one.relationId === relationId)!;

describe('RL-10 a server that rewrites what was granted', () => {
  it('RL-10 attack: claim in the cache that a scope is granted, and signed', async () => {
    onRelations((relation) => {
      relation.granted_scopes = ['note:low', 'note:medium', 'note:high'];
      relation.signed = true;
    });
    await person.device.relations.sync();
    expect(await call('medium')).toMatchObject({ status: 'denied', reason: 'scope_not_granted' });
    expect(await call('low')).toMatchObject({ status: 'ok' });
  });

  it('RL-10 attack: roll the ledger back to before a revocation', async () => {
    const [first] = history();
    await person.device.relations.revokeScope(relationId, 'note:low');
    onRelations((relation) => {
      relation.ledger_length = 1;
      relation.ledger_head = entryHash(first!);
      relation.granted_scopes = ['note:low', 'note:high'];
    });
    onLedger((reply) => {
      reply.entries = reply.entries.filter((entry: Anything) => entry.seq <= 1);
      reply.length = 1;
      reply.head = entryHash(first!);
    });
    await person.device.relations.sync();
    expect(await problem(person, 'ledger')).toMatchObject({ problem: 'shortened' });
    expect(await call('low')).toMatchObject({ status: 'denied', reason: 'permission_revoked' });
  });

  it('RL-10 attack: add an entry signed by a device that does not exist', async () => {
    const [first] = history() as BoundEntry[];
    const forged = signEntry(
      nodeCrypto,
      {
        ...first!,
        seq: 2,
        prev: entryHash(first!),
        action: 'change',
        scopes: [...first!.scopes, { id: 'note:medium', sensitivity: 'low' }],
      },
      generateEd25519(nodeCrypto),
    );
    onRelations((relation) => {
      relation.ledger_length = 2;
      relation.ledger_head = entryHash(forged);
    });
    onLedger((reply) => {
      reply.entries = [forged];
      reply.length = 2;
      reply.head = entryHash(forged);
    });
    await person.device.relations.sync();
    expect(await problem(person, 'ledger')).toMatchObject({ relationId });
    expect(await call('medium')).toMatchObject({ status: 'denied' });
    expect(await call('low')).toMatchObject({ status: 'denied' });
    expect(view().problem).toBe('ledger');
  });

  it('RL-10 attack: rewrite what an entry grants', async () => {
    await person.device.relations.revokeScope(relationId, 'note:low');
    const other = await scene.world.bot();
    onLedger((reply) => {
      for (const entry of reply.entries) entry.scopes.push({ id: 'note:medium', sensitivity: 'low' });
    });
    const added = await addAgent(person.device, other.agentId, ['note:low']);
    expect(await problem(person, 'ledger')).toMatchObject({ relationId: added.relationId });
    const answer = await other.call(added.conversationId, { tool_name: 'say_medium' });
    expect(answer).toMatchObject({ status: 'denied', reason: 'scope_not_granted' });
  });

  it('RL-10 attack: pass the ledger of one relation off as that of another', async () => {
    const generous = await scene.world.bot();
    const { relationId: source } = await addAgent(person.device, generous.agentId);
    const entries = structuredClone(person.device.relations.history(source)) as Anything[];
    const other = await scene.world.bot();
    scene.evil.answer('GET /h2a/relations/:id/ledger', ({ body }) => ({ ...body, entries }));
    const added = await addAgent(person.device, other.agentId, ['note:low']);
    expect(await problem(person, 'ledger')).toMatchObject({ relationId: added.relationId });
    expect(await other.call(added.conversationId, { tool_name: 'say_medium' })).toMatchObject({ status: 'denied' });
  });
});

describe('CG-2 a server that forges manifests', () => {
  it('CG-2 attack: show another text than was announced', async () => {
    scene.evil.answer('GET /agents/:id', ({ body }) => {
      for (const scope of body.capability_manifest.permission_scopes) scope.sensitivity = 'low';
    });
    await bot.publish({ ...MANIFEST, agent_version: '1.1.0' });
    expect(await problem(person, 'manifest')).toMatchObject({ problem: 'forged' });
    await waitUntil(person.device.relations, () => view().problem === 'manifest');
    expect(await call('high')).toMatchObject({ status: 'denied', reason: 'tool_not_declared' });
    expect(person.ran).toEqual([]);
  });

  it('CG-2 a second start accuses nobody; one that is shown another text than was announced does', async () => {
    const disk = createDisk();
    const ada = await scene.victim({ store: disk.open() });
    await addAgent(ada.device, bot.agentId, ['note:low']);
    await ada.client.close();
    // Every state that is shown, from the first moment on.
    const start = async () => {
      const { client } = await newClient({ ...scene.world.server, url: scene.evil.url }, { store: disk.open() });
      const device = deviceOf(client);
      const seen = device.relations.getSnapshot().map(({ problem: found }) => found);
      device.relations.subscribe(() => seen.push(...device.relations.getSnapshot().map(({ problem: found }) => found)));
      return { client, device, seen };
    };
    const second = await start();
    await second.device.relations.sync();
    expect(new Set(second.seen)).toEqual(new Set([undefined]));
    expect(second.device.problems.getSnapshot()).toEqual([]);
    await second.client.close();

    scene.evil.answer('GET /agents/:id', ({ body }) => {
      for (const scope of body.capability_manifest.permission_scopes) scope.sensitivity = 'low';
    });
    await bot.publish({ ...MANIFEST, agent_version: '1.2.0' });
    const third = await start();
    await waitUntil(third.device.relations, ([relation]) => relation?.problem === 'manifest');
    expect(third.device.problems.getSnapshot()).toMatchObject([{ problem: { kind: 'manifest', problem: 'forged' } }]);
    await third.client.close();
  });

  it('CG-2 attack: go back to an older manifest', async () => {
    await bot.publish({ ...MANIFEST, agent_version: '1.1.0', tools: MANIFEST.tools.slice(1) });
    await waitUntil(person.device.relations, () => view().currentVersion === 2);
    expect(await call('low')).toMatchObject({ status: 'denied', reason: 'tool_not_declared' });
    const [old] = history();
    scene.evil.answer('GET /agents/:id', ({ body }) => ({
      ...body,
      capability_manifest: MANIFEST,
      capability_manifest_version: 1,
      capability_manifest_hash: old!.manifest_hash,
    }));
    onRelations((relation) => {
      relation.current_manifest_version = 1;
      relation.current_manifest_hash = old!.manifest_hash;
    });
    await person.device.relations.sync();
    expect(await problem(person, 'manifest')).toMatchObject({ problem: 'rolled_back' });
    expect(await call('low')).toMatchObject({ status: 'denied', reason: 'tool_not_declared' });
  });

  it('CG-6 attack: a manifest of the server’s own, hash and all, that calls a high scope low: it is asked all the same', async () => {
    const disarmed = structuredClone(MANIFEST) as Anything;
    for (const scope of disarmed.permission_scopes) scope.sensitivity = 'low';
    await bot.publish(disarmed);
    onRelations((relation) => {
      relation.pending_scopes = [];
    });
    await waitUntil(person.device.relations, () => view().currentVersion === 2);
    const answer = call('high');
    const prompt = await nextPrompt(person.device);
    expect(prompt.level).toBe('high');
    prompt.deny();
    expect(await answer).toMatchObject({ status: 'denied', reason: 'user_refused' });
  });
});

describe('EE-7 a server that announces a weaker mode', () => {
  it('EE-7 attack: call an agent’s mode webhook: without its signature everything granted waits', async () => {
    scene.evil.answer('GET /agents/:id', ({ body }) => ({ ...body, connection_mode: 'webhook' }));
    scene.evil.push({
      type: 'relation.restored',
      event_id: 10 ** 9,
      agent_id: bot.agentId,
      relation_id: relationId,
      reason: 'agent',
    });
    await waitUntil(person.device.relations, () => view().scopes.every(({ granted }) => !granted));
    await expect(person.device.conversations.sendText(conversationId, 'a secret')).rejects.toMatchObject({
      code: expect.stringMatching(/NO_RECIPIENT|WEAKER_MODE/),
    });
    const sent = scene.evil.taken.filter(
      ({ type, envelope }) => type === 'send' && envelope.header.conversation_id === conversationId,
    );
    expect(sent).toEqual([]);
  });
});
