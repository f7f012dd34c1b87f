import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeBundle, makePlace, type Place } from '../bundle-fixture.ts';
import { useBuiltCommand } from '../run.ts';
import { Talk } from './talk.ts';

useBuiltCommand();

let server: TestServer;
let place: Place;
let notes: string;
const talks: Talk[] = [];

beforeAll(async () => {
  server = await startTestServer();
  place = makePlace({ PARLEY_URL: server.url });
  notes = join(place.root, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'todo.txt'), 'buy milk');
});
afterAll(async () => {
  for (const talk of talks) talk.signal('SIGKILL');
  await server.drop();
});

function begin(args: readonly string[]): Talk {
  const talk = new Talk(args, { HOME: place.home, ROLEOS_WORKSPACE: place.workspace, PARLEY_URL: server.url });
  talks.push(talk);
  return talk;
}

/** A kit with the name of a tool that devices know is run by them. */
const READER = {
  id: 'read-file',
  label: 'Reader',
  capabilities: ['Read a file'],
  riskLevel: 'medium',
  permissions: [{ type: 'filesystem', target: 'notes/', mode: 'read' }],
  toolBinding: {
    type: 'function',
    config: {
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
        additionalProperties: false,
      },
    },
  },
};

test('BA-7 an installed bundle is talked to, and its tool runs on the device only after the person allowed it', async () => {
  const password = 'correct horse battery\n';
  const registration = ['register', '--email', 'ada@example.org', '--name', 'Ada', '--password-stdin'];
  expect((await place.parley(registration, { input: password })).code).toBe(0);
  const roles = [{ id: 'reader', label: 'Reader of notes', purpose: 'Reads', kits: ['read-file'] }];
  const manifest = makeBundle({ id: 'readers', name: 'Readers', roles, kits: [READER] });
  const folder = place.fill({ 'manifest.json': JSON.stringify(manifest) });
  const { json } = await place.json(['preview', folder]);
  expect((await place.roleos(['activate', folder, '--plan-digest', json.preview.planDigest])).code).toBe(0);

  const agent = begin(['bundle', 'run-as-agent', 'readers', '--public']);
  await agent.until('Connection: online');
  const chat = begin(['chat', 'Readers', '--allow-dir', notes]);
  expect(await chat.until('Agree?')).toContain('1 [ ] ');
  chat.say('1');
  expect(await chat.until('Agree?')).toContain('1 [x] ');
  chat.say('');
  await chat.until('Readers is added.');
  chat.say('hello');
  await chat.until('My roles: Reader of notes.');
  expect(await chat.until('read_file')).toContain('ask your device');
  chat.say(`read_file ${join(notes, 'todo.txt')}`);
  expect(await chat.until('Allow?')).toContain('(filesystem:read)');
  chat.say('a');
  await chat.until('"content":"buy milk"');
  chat.say('read_file {"path": "/etc/passwd"}');
  await chat.until('read_file gave no result');
  await chat.end();
  agent.signal('SIGINT');
  expect(await agent.ended).toBe(0);
  expect(agent.output).toContain('It stays registered.');
});
