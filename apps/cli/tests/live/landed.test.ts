import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openFileStore } from '@parley/messenger/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Landed, loadLanded } from '../../../../packages/client/tests/fixtures/landed/load.ts';
import { useBuiltCommand, useFolder } from '../run.ts';
import { Machine } from './person.ts';
import { Talk } from './talk.ts';

// A machine and a server of the version before device lists, as they left their data.

useBuiltCommand();
const folder = useFolder();
let landed: Landed;
beforeAll(async () => {
  landed = await loadLanded();
});
afterAll(() => landed?.server.drop());

async function restore(name: string, disk: Landed['laptop']): Promise<Machine> {
  const machine = new Machine(folder.path, name, landed.server.url);
  const place = join(folder.path, name, 'device', new URL(landed.server.url).host.replace(':', '_'));
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  const store = await openFileStore(place);
  await store.write(disk.entries);
  await store.close();
  return machine;
}

test('EE-14 a recovery file of the version before lets a device in, with its passphrase, and removes none', async () => {
  const { secret, passphrase } = landed.facts.recovery;
  const file = folder.write('old-recovery.txt', `${secret}\n`);
  const fresh = new Machine(folder.path, 'fresh', landed.server.url);
  expect((await fresh.login(landed.facts.ada.email)).json.device.state).toBe('waiting');
  const use = ['recovery', 'use', file];
  const unasked = await fresh.json(use);
  expect(unasked).toMatchObject({ code: 2, json: { error: { code: 'USAGE' } } });
  const wrong = await fresh.json([...use, '--passphrase-stdin'], { input: 'another one\n' });
  expect(wrong).toMatchObject({ code: 1, json: { error: { code: 'BACKUP_REFUSED' } } });
  const used = await fresh.json([...use, '--passphrase-stdin'], { input: `${passphrase}\n` });
  expect(used).toMatchObject({ code: 0, json: { state: 'ready', others_removed: false } });
  const { json } = await fresh.json(['devices', 'list']);
  expect(json.is_keeper).toBe(true);
  expect(json.devices.filter(({ listed }: { listed: boolean }) => listed)).toHaveLength(3);
});

test('EE-17 EE-20 a device of the version before makes its recovery secret, and its group is confirmed', async () => {
  const bob = await restore('bob', landed.bob);
  const file = join(folder.path, 'recovery.txt');
  expect((await bob.json(['recovery', 'save', file])).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toMatch(/^([0-9A-Z]{4}-){6}[0-9A-Z]{4}\n$/);
  const laptop = await restore('laptop', landed.laptop);
  const { title } = landed.facts.group;
  const talk = new Talk(['chat'], laptop.env);
  const [, number] = new RegExp(`^\\s+(\\d+) ${title}`, 'm').exec(await talk.until('Type a number'))!;
  talk.say(`/open ${number}`);
  await talk.until('type /confirm to look at its members');
  talk.say('/confirm');
  expect(await talk.until('Sign them? (y/n)')).toContain(landed.facts.bob.accountId);
  talk.say('y');
  await talk.until('From now on only these');
  talk.say('signed at last');
  await talk.until('│ signed at last');
  talk.say('/quit');
  expect(await talk.ended).toBe(0);
});
