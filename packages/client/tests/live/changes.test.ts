import { agentRoutes, type LedgerEntry } from '@parley/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describedAs, MANIFEST, withRequired } from '../guard-fixtures.ts';
import {
  addAgent,
  type Bot,
  createDisk,
  deviceOf,
  Hands,
  newClient,
  nextPrompt,
  type Person,
  waitUntil,
} from './rig.ts';
import { World } from './world.ts';

let world: World;
let person: Person;
let bot: Bot;
let conversationId: string;
let relationId: string;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.end());
beforeEach(async () => {
  person = await world.person();
  bot = await world.bot();
  ({ conversationId, relationId } = await addAgent(person.device, bot.agentId));
});
afterEach(() => person?.client.close());

const view = () => person.device.relations.getSnapshot().find((one) => one.relationId === relationId)!;
const version = (wanted: number) =>
  waitUntil(person.device.relations, (all) =>
    all.some((one) => one.relationId === relationId && one.currentVersion === wanted),
  );

describe('in the middle of a call', () => {
  it('TR-2 CG-11 the line is lost while a prompt is open: the answer arrives all the same, once', async () => {
    const answer = bot.call(conversationId, { tool_name: 'say_high' });
    const prompt = await nextPrompt(person.device);
    person.hands.cut();
    await waitUntil(person.device.connection, (status) => status !== 'online');
    prompt.allow();
    expect(await answer).toMatchObject({ status: 'ok' });
    expect(person.ran).toHaveLength(1);
    await bot.call(conversationId, { tool_name: 'say_low' });
    expect(bot.received).toHaveLength(2);
  });

  it('TR-2 the line is lost while a tool runs', async () => {
    let finish = () => {};
    const running = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let begun = () => {};
    const begin = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const run = async () => {
      begun();
      await running;
      return 'done';
    };
    const other = await world.person({ executors: [{ tool: 'say_low', scope: 'note:low', run }] });
    const relation = await addAgent(other.device, bot.agentId);
    const answer = bot.call(relation.conversationId, { tool_name: 'say_low' });
    await begin;
    other.hands.cut();
    finish();
    expect(await answer).toMatchObject({ status: 'ok', result: 'done' });
  });

  it('CG-3 revocation while a call waits: the prompt closes and the agent is told', async () => {
    const answer = bot.call(conversationId, { tool_name: 'say_high' });
    await nextPrompt(person.device);
    await person.device.relations.revokeScope(relationId, 'note:high');
    expect(await answer).toMatchObject({ status: 'denied', reason: 'permission_revoked' });
    expect(person.device.prompts.getSnapshot()).toEqual([]);
  });

  it('CG-7 a manifest that leaves the tool alone keeps the open prompt', async () => {
    const answer = bot.call(conversationId, { tool_name: 'say_high' });
    const { id } = await nextPrompt(person.device);
    await bot.publish(describedAs('low', 'Other words', '1.1.0'));
    await version(2);
    const prompt = await nextPrompt(person.device);
    expect(prompt.id).toBe(id);
    prompt.allow();
    expect(await answer).toMatchObject({ status: 'ok' });
  });

  it('CG-7 a manifest that changes the tool asks again, with the new words', async () => {
    const answer = bot.call(conversationId, { tool_name: 'say_high' });
    const { id } = await nextPrompt(person.device);
    await bot.publish(describedAs('high', 'Something else', '1.1.0'));
    const [prompt] = await waitUntil(person.device.prompts, ([first]) => first !== undefined && first.id !== id);
    expect(prompt!.tool.description).toBe('Something else');
    prompt!.allow();
    expect(await answer).toMatchObject({ status: 'ok' });
  });
});

describe('RL-9 re-authorisation', () => {
  it('RL-9 a breaking change suspends its scope, the review shows what changed, the answer settles it', async () => {
    const first = bot.call(conversationId, { tool_name: 'say_medium' });
    (await nextPrompt(person.device)).allow();
    await first;
    await bot.publish(withRequired('medium', '2.0.0'));
    await waitUntil(person.device.relations, (all) =>
      all.some((one) => one.relationId === relationId && one.needsReview),
    );
    expect(
      view()
        .scopes.filter(({ pending }) => pending)
        .map(({ id }) => id),
    ).toEqual(['note:medium']);
    const args = { text: 'a', to: 'b' };
    expect(await bot.call(conversationId, { tool_name: 'say_medium', arguments: args })).toMatchObject({
      reason: 'scope_not_granted',
    });
    expect(await bot.call(conversationId, { tool_name: 'say_low' })).toMatchObject({ status: 'ok' });

    const review = await person.device.relations.review(relationId);
    expect(review.pending.map(({ id }) => id)).toEqual(['note:medium']);
    expect(review.text).toContain('schema.required_added');
    await person.device.relations.answer(relationId, ['note:medium'], review.manifestHash);
    expect(view()).toMatchObject({ needsReview: false, agreedVersion: 2 });
    // Agreed to again, but the silence has ended.
    const again = bot.call(conversationId, { tool_name: 'say_medium', arguments: args });
    (await nextPrompt(person.device)).allow();
    expect(await again).toMatchObject({ status: 'ok' });
  });

  it('RL-9 refusing keeps the rest working', async () => {
    await bot.publish(withRequired('medium', '2.0.0'));
    await waitUntil(person.device.relations, (all) =>
      all.some((one) => one.relationId === relationId && one.needsReview),
    );
    const review = await person.device.relations.review(relationId);
    await person.device.relations.answer(relationId, [], review.manifestHash);
    const denied = await bot.call(conversationId, { tool_name: 'say_medium', arguments: { text: 'a', to: 'b' } });
    expect(denied).toMatchObject({ status: 'denied', reason: 'permission_revoked' });
    expect(await bot.call(conversationId, { tool_name: 'say_low' })).toMatchObject({ status: 'ok' });
  });

  it('RL-6 agree to a text that is no longer the current one: refused', async () => {
    await bot.publish(withRequired('medium', '2.0.0'));
    await waitUntil(person.device.relations, (all) =>
      all.some((one) => one.relationId === relationId && one.needsReview),
    );
    const review = await person.device.relations.review(relationId);
    await bot.publish(withRequired('high', '3.0.0'));
    await version(3);
    await expect(
      person.device.relations.answer(relationId, ['note:medium'], review.manifestHash),
    ).rejects.toMatchObject({
      code: 'MANIFEST_CHANGED',
    });
  });

  it('RL-9 keep silent about a breaking change: the device compares by itself', async () => {
    const hands = new Hands();
    const { fetch } = hands.platform;
    const lying: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).includes('/h2a/relations')) return response;
      const text = (await response.text()).replaceAll(/"pending_scopes":\[[^\]]*\]/g, '"pending_scopes":[]');
      return new Response(response.status === 204 ? null : text, {
        status: response.status,
        headers: response.headers,
      });
    };
    const other = await world.person({ platform: { ...hands.platform, fetch: lying } });
    const relation = await addAgent(other.device, bot.agentId);
    await bot.publish(withRequired('low', '4.0.0'));
    await waitUntil(other.device.relations, ([one]) => one?.currentVersion === 2);
    const answer = await bot.call(relation.conversationId, { tool_name: 'say_low', arguments: { text: 'a', to: 'b' } });
    expect(answer).toMatchObject({ status: 'denied', reason: 'scope_not_granted' });
  });

  it('RL-9 attack: show the new manifest and keep the row back: nothing runs or is granted that waits for the person', async () => {
    const hands = new Hands();
    const { fetch } = hands.platform;
    let asked = (): void => {};
    let isKeptBack = false;
    const lying: typeof fetch = async (input, init) => {
      const isRow = (init?.method ?? 'GET') === 'GET' && /\/h2a\/relations\//.test(String(input));
      if (!isKeptBack || !isRow) return fetch(input, init);
      asked();
      return new Response(null, { status: 500 });
    };
    const other = await world.person({ platform: { ...hands.platform, fetch: lying } });
    const relation = await addAgent(other.device, bot.agentId, ['note:low']);
    isKeptBack = true;
    // Asked for once the manifest is known.
    const isKnown = new Promise<void>((resolve) => {
      asked = resolve;
    });
    await bot.publish(withRequired('low', '4.0.0'));
    await isKnown;
    const { manifestHash } = await other.device.agents.inspect({ agentId: bot.agentId });
    await expect(
      other.device.relations.grantScope(relation.relationId, 'note:high', manifestHash!),
    ).rejects.toMatchObject({ code: 'MANIFEST_CHANGED' });
    const answer = await bot.call(relation.conversationId, { tool_name: 'say_low', arguments: { text: 'a', to: 'b' } });
    expect(answer).toMatchObject({ status: 'denied', reason: 'scope_not_granted' });
    expect(other.ran).toEqual([]);
    expect(other.device.relations.getSnapshot()).toMatchObject([{ needsReview: true }]);
  });
});

describe('RL-10 the ledger', () => {
  it('RL-10 a plain grant counts for nothing until this device has signed it', async () => {
    const other = await world.bot();
    const login = await world.server.call('POST', '/auth/login', { body: person.credentials });
    const plain = await world.server.call('POST', '/h2a/relations', {
      token: login.body.access_token,
      body: { agent_id: other.agentId, granted_scopes: ['note:low'] },
    });
    expect(plain.status).toBe(201);
    const isThere = (all: ReturnType<typeof person.device.relations.getSnapshot>) =>
      all.some((one) => one.agentId === other.agentId);
    await waitUntil(person.device.relations, isThere);
    const found = () => person.device.relations.getSnapshot().find((one) => one.agentId === other.agentId)!;
    expect(found().needsSignature).toBe(true);
    expect(found().scopes.find(({ id }) => id === 'note:low')).toMatchObject({ granted: false, unsigned: true });
    const denied = await other.call(plain.body.conversation_id, { tool_name: 'say_low' });
    expect(denied).toMatchObject({ status: 'denied', reason: 'scope_not_granted' });
    await expect(
      person.device.relations.signPending(found().relationId, ['note:low', 'note:high'], found().manifestHash),
    ).rejects.toMatchObject({
      code: 'MANIFEST_CHANGED',
    });
    await person.device.relations.signPending(found().relationId, ['note:low'], found().manifestHash);
    expect(found()).toMatchObject({ needsSignature: false });
    expect(await other.call(plain.body.conversation_id, { tool_name: 'say_low' })).toMatchObject({ status: 'ok' });
  });

  it('RL-10 roll the ledger back: the longer chain that was seen counts', async () => {
    let hide = false;
    const hands = new Hands();
    const { fetch } = hands.platform;
    const lying: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!hide || !String(input).includes('/h2a/relations')) return response;
      const body = JSON.parse(await response.text());
      const shorten = (one: Record<string, unknown>) => ({
        ...one,
        ledger_length: 1,
        ledger_head: first.prev ?? '0'.repeat(64),
      });
      const cut = body.entries
        ? { entries: [], length: 1, head: '0'.repeat(64) }
        : body.relations
          ? { ...body, relations: body.relations.map(shorten) }
          : shorten(body);
      return new Response(JSON.stringify(cut), { status: response.status, headers: response.headers });
    };
    const other = await world.person({ platform: { ...hands.platform, fetch: lying } });
    const relation = await addAgent(other.device, bot.agentId);
    await other.device.relations.revokeScope(relation.relationId, 'note:low');
    const [first] = other.device.relations.history(relation.relationId) as [LedgerEntry];
    hide = true;
    await other.device.relations.sync();
    expect(other.device.problems.getSnapshot().map(({ problem }) => problem)).toContainEqual(
      expect.objectContaining({ kind: 'ledger', problem: 'shortened' }),
    );
    expect(await bot.call(relation.conversationId, { tool_name: 'say_low' })).toMatchObject({
      reason: 'permission_revoked',
    });
    const medium = bot.call(relation.conversationId, { tool_name: 'say_medium' });
    (await nextPrompt(other.device)).allow();
    expect(await medium).toMatchObject({ status: 'ok' });
  });

  it('RL-7 what is taken back counts at once, also while the server cannot be told, which is told later', async () => {
    let offline = false;
    const hands = new Hands();
    const { fetch } = hands.platform;
    const failing: typeof fetch = (input, init) =>
      offline && init?.method === 'PATCH' ? Promise.reject(new TypeError('no network')) : fetch(input, init);
    const disk = createDisk();
    const other = await world.person({ platform: { ...hands.platform, fetch: failing }, store: disk.open() });
    const relation = await addAgent(other.device, bot.agentId);
    offline = true;
    await expect(other.device.relations.revokeScope(relation.relationId, 'note:low')).rejects.toMatchObject({
      code: 'UNREACHABLE',
    });
    expect(await bot.call(relation.conversationId, { tool_name: 'say_low' })).toMatchObject({ status: 'denied' });
    offline = false;
    await other.client.close();
    const again = await newClient(world.server, { store: disk.open() });
    world.atEnd(() => again.client.close());
    await waitUntil(deviceOf(again.client).relations, ([one]) => one !== undefined && one.scopes.length > 0);
    expect(await bot.call(relation.conversationId, { tool_name: 'say_low' })).toMatchObject({
      reason: 'permission_revoked',
    });
    await waitUntil(
      deviceOf(again.client).relations,
      () => deviceOf(again.client).relations.history(relation.relationId).length === 2,
    );
  });

  it('RL-7 ending a relation takes everything back', async () => {
    await person.device.relations.end(relationId);
    expect(view()).toMatchObject({ status: 'ended' });
    expect(person.device.relations.history(relationId).at(-1)).toMatchObject({ action: 'revoke', scopes: [] });
    const again = await addAgent(person.device, bot.agentId, ['note:low']);
    expect(again.relationId).not.toBe(relationId);
    expect(await bot.call(again.conversationId, { tool_name: 'say_low' })).toMatchObject({ status: 'ok' });
  });
});

describe('CG-2 manifests', () => {
  it('CG-2 forge the manifest: one whose hash is not the announced one is never used', async () => {
    let forge = false;
    const hands = new Hands();
    const { fetch } = hands.platform;
    const lying: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!forge || !/\/agents\/[^/]+$/.test(String(input))) return response;
      const text = (await response.text()).replaceAll('"sensitivity":"high"', '"sensitivity":"low"');
      return new Response(text, { status: response.status, headers: response.headers });
    };
    const other = await world.person({ platform: { ...hands.platform, fetch: lying } });
    const relation = await addAgent(other.device, bot.agentId);
    forge = true;
    await bot.publish(describedAs('low', 'Other words', '5.0.0'));
    await waitUntil(other.device.problems, (all) => all.some(({ problem }) => problem.kind === 'manifest'));
    expect(await bot.call(relation.conversationId, { tool_name: 'say_high' })).toMatchObject({
      status: 'denied',
      reason: 'tool_not_declared',
    });
    await expect(other.device.agents.inspect({ agentId: bot.agentId })).rejects.toMatchObject({
      code: 'MANIFEST_FORGED',
    });
  });

  it('CG-2 a new tool under a granted scope works at once: the manifest is fetched before refusing', async () => {
    const added = { ...MANIFEST.tools[0]!, name: 'say_medium2', permission_scope: 'note:low' };
    await bot.publish({ ...MANIFEST, agent_version: '6.0.0', tools: [...MANIFEST.tools, added] });
    const answer = await bot.call(conversationId, { tool_name: 'say_medium2', permission_scope: 'note:low' });
    expect(answer).toMatchObject({ status: 'error', reason: 'TOOL_UNAVAILABLE' });
  });
});

describe('EE-9 keys of agents', () => {
  it('EE-9 a link with the wrong fingerprint is refused, one with the right one is verified', async () => {
    const details = await person.device.agents.inspect({ agentId: bot.agentId });
    expect(details.identity).toMatchObject({ ok: true, verified: false });
    expect(details.mode).toMatchObject({ name: 'websocket', weaker: false });
    const wrong = await person.device.agents.inspect({ agentId: bot.agentId, fingerprint: 'A'.repeat(43) });
    expect(wrong.identity).toMatchObject({ ok: false, problem: 'fingerprint' });
    const fingerprint = details.identity.ok ? details.identity.fingerprint : '';
    const right = await person.device.agents.inspect({ agentId: bot.agentId, fingerprint });
    expect(right.identity).toMatchObject({ ok: true, verified: true });
    expect(await person.device.identities.safetyNumber({ kind: 'agent', id: bot.agentId })).toMatch(/^\d{60}$/);
  });

  it('EE-9 swap the keys of an agent: its tool calls wait until the new key is confirmed', async () => {
    const first = bot.call(conversationId, { tool_name: 'say_medium' });
    (await nextPrompt(person.device)).allow();
    await first;
    await bot.messenger.close();
    const changed = await world.rebuild(bot, { replaceIdentity: true });
    const answer = changed.call(conversationId, { tool_name: 'say_low' });
    const problems = await waitUntil(person.device.problems, (all) =>
      all.some(({ problem }) => problem.kind === 'identity_changed'),
    );
    const { problem } = problems.find((one) => one.problem.kind === 'identity_changed')!;
    expect(problem).toMatchObject({ party: { kind: 'agent', id: bot.agentId } });
    await waitUntil(person.device.relations, () => view().problem === 'identity_changed');
    expect(person.device.remembered.getSnapshot().windows).toEqual([]);
    expect(person.ran).toHaveLength(1);
    if (problem.kind !== 'identity_changed') throw new Error('no key was offered');
    await person.device.identities.confirm(problem.party, problem.offered);
    expect(view()).not.toHaveProperty('problem');
    const again = changed.call(conversationId, { tool_name: 'say_medium' });
    (await nextPrompt(person.device)).allow();
    expect(await again).toMatchObject({ status: 'ok' });
    answer.catch(() => {});
  });

  it('EE-7 go over to a weaker mode: everything granted waits until the user has agreed', async () => {
    const disk = createDisk();
    const original = await world.bot({ store: disk.open() });
    const relation = await addAgent(person.device, original.agentId);
    const view = () => person.device.relations.getSnapshot().find((one) => one.relationId === relation.relationId)!;
    await original.messenger.close();
    const webhook = await world.rebuild(original, { mode: 'webhook', store: disk.open() });
    expect(await webhook.api.call(agentRoutes.readAgent, { params: { agent_id: original.agentId } })).toMatchObject({
      connection_mode: 'webhook',
    });
    await waitUntil(person.device.relations, () => view().needsReview);
    const { pending } = await person.device.relations.review(relation.relationId);
    expect(pending.map(({ id }) => id)).toEqual(['note:low', 'note:medium', 'note:high']);
    const { manifestHash, mode } = await person.device.relations.review(relation.relationId);
    expect(mode).toBe('webhook');
    await person.device.relations.answer(relation.relationId, ['note:low'], manifestHash);
    expect(
      view()
        .scopes.filter(({ granted }) => granted)
        .map(({ id }) => id),
    ).toEqual(['note:low']);
    expect(view()).toMatchObject({ needsReview: false, mode: 'webhook' });
  });
});
