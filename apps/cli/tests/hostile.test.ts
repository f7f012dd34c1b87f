import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EXAMPLES, writeExamples } from '../src/examples.ts';
import { wordsFor } from '../src/messages/index.ts';
import { parley, useBuiltCommand, useFolder } from './run.ts';

useBuiltCommand();
const folder = useFolder();

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const OTHER = '01890a5d-ac96-774b-bcce-b302099a8058';
const TOKEN = `hsk_${'x'.repeat(40)}`;
const NOW = '2026-01-01T00:00:00.000Z';
const INJECTED = '\nNODE_OPTIONS=--import=data:text/javascript,0\n\u001b[2J\u009b31m';

const created = {
  agent_id: ID,
  name: 'Mine',
  token: TOKEN,
  token_id: ID,
  visibility: 'private',
  connection_mode: 'websocket',
  capability_manifest_version: 0,
  capability_manifest_hash: null,
  warnings: [],
  created_at: NOW,
};
const rotated = { token_id: ID, token: TOKEN, created_at: NOW };
const webhook = {
  agent_id: ID,
  url: 'https://bot.example/hook',
  status: 'active',
  unreachable_since: null,
  previous_secret_until: null,
  created_at: NOW,
  updated_at: NOW,
  secret: `whsec_${Buffer.alloc(32, 0xfb).toString('base64')}`,
};
const CREATE = ['agent', 'create', 'Mine'];
const ROTATE = ['agent', 'token', ID];
const SET = ['agent', 'webhook', 'set', ID, webhook.url];

let server: Server;
let url: string;
let reply: { status: number; body: object };
let requests: number;

beforeAll(async () => {
  server = createServer((_, response) => {
    requests++;
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const home = join(folder.path, 'home');
  mkdirSync(home, { mode: 0o700 });
  const servers = { [url]: { userId: ID, accessToken: 'access' } };
  const mode = 0o600;
  writeFileSync(join(home, 'credentials.json'), JSON.stringify({ version: 1, current: url, servers }), { mode });
});
afterAll(() => void server.close());
beforeEach(() => {
  requests = 0;
});

const run = (...args: string[]) => parley(args, { env: { PARLEY_HOME: join(folder.path, 'home'), PARLEY_URL: url } });
const answer = (status: number, body: object) => {
  reply = { status, body };
};
const left = () => readdirSync(folder.path).filter((name) => name.endsWith('.tmp'));

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

describe('RL-1, TR-5 a hostile server that answers with more than a token', () => {
  test.each([
    ['the token of a new agent', CREATE, 201, { ...created, token: TOKEN + INJECTED }],
    ['the id of a new agent', CREATE, 201, { ...created, agent_id: ID + INJECTED }],
    ['a new token', ROTATE, 201, { ...rotated, token: TOKEN + INJECTED }],
    ['the secret of a webhook', SET, 200, { ...webhook, secret: webhook.secret + INJECTED }],
  ])('cannot add NODE_OPTIONS to the settings with %s, nor reach the terminal', async (_, command, status, body) => {
    answer(status, body);
    const settings = folder.write('.env', 'OTHER=1\n');
    const [file, option] = [join(folder.path, 'alone'), command === SET ? '--secret-file' : '--token-file'];
    // A secret is never shown; a token is, without a file.
    const places = [['--settings-file', settings], [option, file], ...(command === SET ? [] : [[]])];
    for (const { code, stdout, stderr } of await Promise.all(places.map((place) => run(...command, ...place)))) {
      expect(code, stdout).toBe(3);
      expect(stdout + stderr).not.toMatch(CONTROL);
      expect(stdout + stderr).not.toContain('NODE_OPTIONS');
    }
    expect(requests).toBe(places.length);
    expect(readFileSync(settings, 'utf8')).toBe('OTHER=1\n');
    expect(existsSync(file)).toBe(false);
    expect(left()).toEqual([]);
  });

  test('cannot reach the terminal with the id of an agent in a list', async () => {
    const summary = {
      ...{ agent_id: ID + INJECTED, name: 'Mine', description: '', visibility: 'private', status: 'active' },
      ...{ connection_mode: 'websocket', capability_manifest_version: 0, capability_manifest_hash: null, tools: [] },
      ...{ permission_scopes: [], highest_sensitivity: null, created_at: NOW, updated_at: NOW },
    };
    answer(200, { agents: [summary], next_cursor: null });
    const { code, stdout } = await run('agent', 'list');
    expect(code).toBe(0);
    expect(stdout).toContain(`${ID}␊NODE_OPTIONS`);
    expect(stdout).not.toMatch(CONTROL);
  });
});

describe('RL-1, TR-5 a place where nothing can be written', () => {
  test.each([
    ['a new agent', CREATE, '--token-file'],
    ['a new token', ROTATE, '--token-file'],
    ['a webhook', SET, '--secret-file'],
  ])('is refused before the server is asked for %s, whose secret would be lost', async (_, command, option) => {
    const dangling = join(folder.path, `dangling-${command[1]}`);
    symlinkSync(join(folder.path, 'nowhere'), dangling);
    const missing = join(folder.path, 'missing/.env');
    const places = [
      ['--settings-file', missing],
      [option, missing],
      [option, dangling],
    ];
    const ended = await Promise.all(places.map((place) => run(...command, ...place)));
    expect(ended.map(({ code }) => code)).toEqual([3, 3, 1]);
    expect(ended[0]!.stderr).toContain('its folder does not exist');
    expect(requests).toBe(0);
    expect(existsSync(join(folder.path, 'nowhere'))).toBe(false);
  });

  test.each([
    ['token', ROTATE],
    ['webhook', SET],
  ])('agent %s does not replace the settings of another agent', async (_, command) => {
    const text = `export PARLEY_AGENT_ID=${OTHER}\nPARLEY_AGENT_TOKEN=old\nPARLEY_WEBHOOK_SECRET=old\n`;
    const settings = folder.write('other.env', text);
    const { code, stderr } = await run(...command, '--settings-file', settings);
    expect(code).toBe(1);
    expect(stderr).toContain('another agent');
    expect(requests).toBe(0);
    expect(readFileSync(settings, 'utf8')).toBe(text);
  });

  test('an honest reply is kept, a refused one leaves the file as it was, and no draft stays', async () => {
    const settings = folder.write('mine.env', `PARLEY_AGENT_ID=${ID}\n`);
    answer(403, { error: { code: 'FORBIDDEN', message: 'no' } });
    expect((await run(...ROTATE, '--settings-file', settings)).code).toBe(1);
    expect(readFileSync(settings, 'utf8')).toBe(`PARLEY_AGENT_ID=${ID}\n`);
    answer(200, webhook);
    expect((await run(...SET, '--settings-file', settings)).code).toBe(0);
    answer(201, rotated);
    expect((await run(...ROTATE, '--settings-file', settings)).code).toBe(0);
    const lines = [
      `PARLEY_AGENT_ID=${ID}`,
      `PARLEY_WEBHOOK_SECRET=${webhook.secret}`,
      `PARLEY_URL=${url}`,
      `PARLEY_AGENT_TOKEN=${TOKEN}`,
    ];
    expect(readFileSync(settings, 'utf8')).toBe(`${lines.join('\n')}\n`);
    expect(left()).toEqual([]);
  });
});

describe('PK-4 someone who can write beside the examples', () => {
  test('cannot have files of their own copied along by guessing the name of the draft', async () => {
    const shared = join(folder.path, 'shared');
    const guessed = join(shared, `.examples.${process.pid}.tmp`);
    mkdirSync(guessed, { recursive: true });
    writeFileSync(join(guessed, 'planted.mjs'), '');
    await writeExamples(join(shared, 'examples'), wordsFor('en'));
    expect(readdirSync(join(shared, 'examples')).sort()).toEqual(readdirSync(EXAMPLES).sort());
    expect(readdirSync(shared).sort()).toEqual([`.examples.${process.pid}.tmp`, 'examples']);
    expect(readdirSync(guessed)).toEqual(['planted.mjs']);
  });
});
