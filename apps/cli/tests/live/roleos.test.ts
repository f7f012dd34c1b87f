import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleFiles, makeBundle, makePlace, type Place, takePicture } from '../bundle-fixture.ts';
import { BIN, ROLEOS, useBuiltCommand } from '../run.ts';

useBuiltCommand();

let server: TestServer;
let author: Place;
let reader: Place;
let token: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  server = await startTestServer();
  author = makePlace({ PARLEY_URL: server.url });
  reader = makePlace({ PARLEY_URL: server.url });
  const { body } = await server.call('POST', '/auth/register', {
    body: { email: `${randomUUID()}@example.org`, account_password: 'correct horse battery', display_name: 'Ada' },
  });
  token = body.access_token;
  await server.makeOperator(body.user_id);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await server.drop();
});

/** A command that goes on while the test does something else. */
function begin(bin: string, place: Place, args: readonly string[]) {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: place.home, ROLEOS_WORKSPACE: place.workspace, PARLEY_URL: server.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const done = new Promise<number | null>((resolve) => {
    child.on('close', (code) => resolve(code));
  });
  /** The first match in what it has told. */
  const told = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const match = pattern.exec(output.stderr);
      if (match !== null) return match[1] ?? match[0];
      if (child.exitCode !== null) throw new Error(`ended without ${pattern}: ${output.stderr}`);
      await new Promise((resolve) => child.stderr.once('data', resolve));
    }
  };
  return { child, output, done, told };
}

async function login(place: Place) {
  const command = begin(ROLEOS, place, ['login', '--json']);
  const user_code = await command.told(/\b([A-Z]{4}-[A-Z]{4})\b/);
  const approved = await server.call('POST', '/auth/device/approve', { token, body: { user_code, approve: true } });
  expect(approved.status).toBe(204);
  expect(await command.done).toBe(0);
  return command.output;
}

describe('BA-8 login', () => {
  test('BA-8 by device flow: the tokens are in a file of 0600, and nowhere else', async () => {
    const { stdout, stderr } = await login(author);
    expect(JSON.parse(stdout)).toMatchObject({ server: server.url, display_name: 'Ada' });
    const file = join(author.home, '.parley/credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { accessToken, refreshToken } = JSON.parse(readFileSync(file, 'utf8')).servers[server.url];
    for (const secret of [accessToken, refreshToken]) {
      expect(secret).toEqual(expect.any(String));
      expect(stdout + stderr).not.toContain(secret);
    }
  });

  test('BA-8 a person who refuses is nobody signed in', async () => {
    const command = begin(ROLEOS, reader, ['login', '--json']);
    const user_code = await command.told(/\b([A-Z]{4}-[A-Z]{4})\b/);
    await server.call('POST', '/auth/device/approve', { token, body: { user_code, approve: false } });
    expect(await command.done).toBe(1);
    expect(JSON.parse(command.output.stdout).error.code).toBe('ACCESS_DENIED');
  });
});

describe('BA-8 the registry', () => {
  test('BA-8 publish, install by id on another machine, status, uninstall: byte for byte as before', async () => {
    const published = await author.json(['publish', author.fill(bundleFiles())]);
    expect(published).toMatchObject({ code: 0, json: { id: 'note-team', version: '1.0.0' } });
    const before = takePicture(reader.workspace);
    const { json } = await reader.json(['preview', 'note-team']);
    const { planDigest } = json.preview;
    const done = await reader.json(['install', 'note-team', '--yes', '--plan-digest', planDigest]);
    expect(done).toMatchObject({ code: 0, json: { bundleId: 'note-team', version: '1.0.0' } });
    expect(readFileSync(join(reader.workspace, 'skills/notes/lib/a.js'), 'utf8')).toBe('export {};\n');
    const status = await reader.json(['status']);
    expect(status.json.bundles).toMatchObject([{ id: 'note-team', drift: [] }]);
    const gone = await reader.json(['uninstall', 'note-team']);
    expect(gone.json).toMatchObject({ done: true, kept: [] });
    expect(takePicture(reader.workspace)).toEqual(before);
  });

  test('BA-8 a version, the address of one, and a version that is not there', async () => {
    const folder = author.fill(bundleFiles({ version: '1.1.0', summary: 'More notes.' }));
    expect((await author.parley(['bundle', 'publish', folder])).code).toBe(0);
    const versions = async (wish: string) => (await reader.json(['preview', wish])).json.preview.headline;
    expect(await versions('note-team')).toContain('1.1.0');
    expect(await versions('note-team@1.0.0')).toContain('1.0.0');
    expect(await versions(`${server.url}/bundles/note-team/versions/1.0.0`)).toContain('1.0.0');
    const unknown = await reader.json(['preview', 'note-team@9.0.0']);
    expect(unknown).toMatchObject({ code: 1, json: { error: { code: 'BUNDLE_UNKNOWN' } } });
  });

  test('BA-8 publishing needs a login, and a published version never changes', async () => {
    const anonymous = await reader.json(['publish', author.fill(bundleFiles())]);
    expect(anonymous).toMatchObject({ code: 1, json: { error: { code: 'NOT_SIGNED_IN' } } });
    expect(anonymous.json.error.message).toContain('roleos login');
    const changed = await author.json(['publish', author.fill(bundleFiles({ name: 'Other' }))]);
    expect(changed).toMatchObject({ code: 1, json: { error: { code: 'VERSION_EXISTS' } } });
  });

  test('BA-6 kits that are locked to the official mirror come from the registry’s host', async () => {
    const files = [{ path: 'SKILL.md', data: Buffer.from('mirrored\n').toString('base64') }];
    const put = await server.call('PUT', '/mirror/notes/2.0.0', { token, body: { files } });
    expect(put.status).toBe(201);
    const [kit] = makeBundle().kits as [object];
    const mirror = { source: 'roleos-mirror://official', digest: put.body.digest, clawHubRef: 'notes@2.0.0' };
    const folder = reader.fill({ 'manifest.json': JSON.stringify(makeBundle({ kits: [{ ...kit, mirror }] })) });
    const { json } = await reader.json(['preview', folder]);
    expect(json.missing).toEqual([]);
    const done = await reader.json(['activate', folder, '--plan-digest', json.preview.planDigest]);
    expect(done.code).toBe(0);
    expect(readFileSync(join(reader.workspace, 'skills/notes/SKILL.md'), 'utf8')).toBe('mirrored\n');
    expect((await reader.roleos(['uninstall', 'note-team'])).code).toBe(0);
  });

  test('BA-8 a server that is not there is exit code 3', async () => {
    const { code, json } = await reader.json(['preview', 'note-team', '--registry', 'http://127.0.0.1:9']);
    expect(code).toBe(3);
    expect(json.error.code).toBe('UNREACHABLE');
  });
});

describe('BA-7 run-as-agent', () => {
  test('BA-7 registers the projected manifest, stays one agent, and runs until Ctrl-C', async () => {
    const { json } = await author.json(['preview', 'note-team@1.0.0']);
    const digest = json.preview.planDigest;
    expect((await author.roleos(['install', 'note-team@1.0.0', '--yes', '--plan-digest', digest])).code).toBe(0);
    const tokenFile = join(author.root, 'agent.token');
    const args = ['bundle', 'run-as-agent', 'note-team', '--json'];
    const first = await author.parley([...args, '--no-run', '--token-file', tokenFile]);
    const registered = JSON.parse(first.stdout);
    expect(registered).toMatchObject({ isNew: true, manifestVersion: 1 });
    expect(registered.token).toBeUndefined();
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    const agent = await server.call('GET', `/agents/${registered.agentId}`, { token });
    expect(agent.body.capability_manifest.tools.map(({ name }: { name: string }) => name)).toEqual(['notes']);

    const running = begin(BIN, author, [...args, '--token-file', tokenFile]);
    await running.told(/Connection: online/);
    running.child.kill('SIGINT');
    expect(await running.done).toBe(0);
    expect(JSON.parse(running.output.stdout)).toMatchObject({
      agentId: registered.agentId,
      isNew: false,
      manifestVersion: 1,
    });
    const secret = readFileSync(tokenFile, 'utf8').trim();
    expect(running.output.stdout + running.output.stderr).not.toContain(secret);
  });
});
