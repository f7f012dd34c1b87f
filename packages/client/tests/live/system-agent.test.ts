import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashManifest, type Json, type Manifest } from '@parley/documents';
import { createMemoryStore, type Store } from '@parley/messenger';
import { SYSTEM_AGENT_ID } from '@parley/protocol';
import { ensureLocalAgent } from '@parley/server';
import { until } from '@parley/testkit/until';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasheeExecutors, type NewSecret } from '../../src/executors/hashee/index.ts';
import { MANIFEST } from '../guard-fixtures.ts';
import { addAgent, type Bot, connectBot, createDisk, deviceOf, newClient, type Person, waitUntil } from './rig.ts';
import { World } from './world.ts';

const scope = (id: string, sensitivity: 'low' | 'high') =>
  ({ id, label_i18n_key: id, label_fallback: id, sensitivity }) as const;
const RESERVED: Manifest = {
  ...MANIFEST,
  tools: [
    ...MANIFEST.tools,
    {
      name: 'rotate_token',
      description_i18n_key: 'x',
      input_schema: { type: 'object', additionalProperties: true },
      permission_scope: 'hashee:tokens',
    },
  ],
  // A server can call it low; the device knows better.
  permission_scopes: [...MANIFEST.permission_scopes, scope('hashee:tokens', 'low'), scope('hashee:agents.read', 'low')],
};

let world: World;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-system-'));
  world = await World.start();
});
afterEach(async () => {
  await world.end();
  rmSync(folder, { recursive: true, force: true });
});

async function startSystemAgent(manifest: Manifest = RESERVED): Promise<Bot> {
  const tokenFile = join(folder, 'token');
  const agent = await ensureLocalAgent(world.server.platform, { name: 'Hashee', manifest, tokenFile, system: true });
  const bot = await connectBot(world.server, agent!);
  world.atEnd(() => bot.messenger.close());
  return bot;
}

const hasHashee = ({ device }: Pick<Person, 'device'>) =>
  waitUntil(device.relations, (relations) => relations.some(({ agentId }) => agentId === SYSTEM_AGENT_ID));
const relationOf = ({ device }: Pick<Person, 'device'>) =>
  device.relations.getSnapshot().find(({ agentId, status }) => agentId === SYSTEM_AGENT_ID && status !== 'ended');

/** Another device of the same person, approved and online. */
async function secondDevice(person: Person, store: Store = createMemoryStore()) {
  const { client } = await newClient(world.server, { deviceName: 'Phone', store });
  world.atEnd(() => client.close());
  await client.login(person.credentials);
  const waiting = client.session.getSnapshot();
  if (waiting.state !== 'waiting') throw new Error(`the client is ${waiting.state}`);
  await person.device.devices.approve(waiting.deviceId, waiting.code);
  await client.checkApproval();
  await waitUntil(client.session, ({ state }) => state === 'ready');
  const device = deviceOf(client);
  await waitUntil(device.connection, (status) => status === 'online');
  return { device, client };
}

describe('SA-1 the platform’s own agent in every account', () => {
  it('SA-1 is there without being looked for, once, on every device', async () => {
    await startSystemAgent();
    const person = await world.person();
    await hasHashee(person);
    const phone = await secondDevice(person);
    await hasHashee(phone);
    expect(relationOf(phone)?.relationId).toBe(relationOf(person)?.relationId);
    const titles = await waitUntil(
      phone.device.conversations.list,
      (list) => list.length === 1 && list[0]!.title !== '',
    );
    expect(titles.map(({ title }) => title)).toEqual(['Hashee']);
  });

  it('RL-7 removed, it comes back neither after a restart nor by another device', async () => {
    await startSystemAgent();
    const disk = createDisk();
    const person = await world.person({ store: disk.open() });
    await hasHashee(person);
    await person.device.relations.end(relationOf(person)!.relationId);
    const pocket = createDisk();
    const phone = await secondDevice(person, pocket.open());
    const expectNone = async () => {
      await phone.device.relations.sync();
      expect(relationOf(phone)).toBeUndefined();
    };
    // It has looked, and left it.
    await until(() => expect(pocket.entries.has('client/system-agent')).toBe(true));
    await expectNone();
    await person.client.close();
    const again = await newClient(world.server, { store: disk.open() });
    world.atEnd(() => again.client.close());
    const device = deviceOf(again.client);
    await waitUntil(device.connection, (status) => status === 'online');
    await device.relations.sync();
    expect(device.relations.getSnapshot().filter(({ status }) => status === 'active')).toEqual([]);
    await expectNone();
  });

  it('CG-6 attack: unread, a server’s own agent is granted nothing but reserved scopes', async () => {
    await startSystemAgent();
    const person = await world.person();
    await hasHashee(person);
    const granted = relationOf(person)!.scopes.filter((one) => one.granted);
    expect(granted.map(({ id }) => id)).toEqual(['hashee:tokens', 'hashee:agents.read']);
  });

  it('CG-6 attack: a server that calls a write low is asked about all the same', async () => {
    const bot = await startSystemAgent();
    const shown: NewSecret[] = [];
    const person = await world.person({
      executors: (api, accountId) => hasheeExecutors({ api, accountId, showSecret: (one) => shown.push(one) }),
    });
    await hasHashee(person);
    const answered = bot.call(relationOf(person)!.conversationId, {
      tool_name: 'rotate_token',
      permission_scope: 'hashee:tokens',
      arguments: { agent_id: bot.agentId, agent_name: 'Hashee' },
    });
    const [prompt] = await waitUntil(person.device.prompts, (prompts) => prompts.length > 0);
    expect(prompt!.level).toBe('high');
    prompt!.deny();
    expect(await answered).toMatchObject({ status: 'denied', reason: 'user_refused' });
    expect(shown).toEqual([]);
  });

  it('CM-10 attack: another agent whose reserved scopes a server lets pass is refused by the device', async () => {
    const bot = await world.bot();
    const person = await world.person({
      executors: (api, accountId) => hasheeExecutors({ api, accountId, showSecret: () => {} }),
    });
    const { conversationId } = await addAgent(person.device, bot.agentId);
    const hash = hashManifest(RESERVED as unknown as Json);
    // What no route does: the server itself is the attacker.
    await world.server.platform.db
      .updateTable('agents')
      .set({
        capability_manifest: JSON.stringify(RESERVED),
        capability_manifest_hash: hash,
        capability_manifest_version: 2,
      })
      .where('id', '=', bot.agentId)
      .execute();
    const call = { tool_name: 'rotate_token', permission_scope: 'hashee:tokens', arguments: {} };
    expect(await bot.call(conversationId, call)).toMatchObject({ status: 'denied', reason: 'tool_not_declared' });
    await expect(person.device.agents.inspect({ agentId: bot.agentId })).rejects.toMatchObject({
      code: 'MANIFEST_FORGED',
    });
    expect(person.device.prompts.getSnapshot()).toEqual([]);
  });
});
