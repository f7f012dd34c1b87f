// Runs agents on a runtime, with a person's real device on the other side of a real server (PK-6).
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createPerson } from './person.mjs';
import { bundleWorker, workerConfig } from './worker-bundle.mjs';

const SCENARIOS = fileURLToPath(new URL('scenarios/', import.meta.url));

/** How each runtime is told to run a program, with the permissions that an agent needs and no others. */
const COMMANDS = {
  node: (file) => [file],
  bun: (file) => ['run', file],
  deno: (file) => [
    'run',
    '--no-prompt',
    ...['--allow-net', '--allow-env', '--allow-read', '--allow-write', '--allow-sys'],
    file,
  ],
};

/**
 * Tries an agent in every mode that the runtime has. Returns what it answered in each, to be compared with `ANSWERS` of person.mjs;
 * `held` is what a second process printed that wanted the keystore of the first, and `restarted` are the answers of a
 * process that went on with the keys of one that was killed.
 *
 * @param {{
 *   runtime: { name: string, path: string },
 *   folder: string,
 *   serverUrl: string,
 * }} options `folder` is where `@parley/agent` is installed; the server must deliver webhooks to loopback.
 */
export async function runScenario({ runtime, folder, serverUrl }) {
  const workplace = await openWorkplace(folder);
  const person = await createPerson(serverUrl);
  try {
    const stage = { runtime, workplace, person, serverUrl };
    return runtime.name === 'workerd' ? await tryWorker(stage) : await tryProcesses(stage);
  } finally {
    await person.close();
    await workplace.close();
  }
}

async function tryProcesses({ runtime, workplace, person, serverUrl }) {
  const told = {};
  const connected = await person.createAgent();
  const env = { ...connected.env, PARLEY_URL: serverUrl, PARLEY_KEYSTORE: workplace.keystore };
  const start = (mode, more = {}) =>
    workplace.start(runtime.path, COMMANDS[runtime.name.replace(/\d+$/, '')](`${mode}-agent.mjs`), { ...env, ...more });

  const first = await start('websocket');
  const conversation = await person.add(connected.agentId);
  told.websocket = await person.converse(conversation, first);
  told.held = await start('websocket').then(
    () => 'nothing',
    ({ message }) => /is in use by process/.exec(message)?.[0] ?? message,
  );
  // Nothing is released by a process that is killed.
  await first.stop('SIGKILL');
  const polling = await start('polling');
  told.polling = await person.converse(conversation, polling);
  await polling.stop();

  const called = await person.createAgent();
  const secret = randomBytes(32).toString('hex');
  const webhook = await start('webhook', { ...called.env, WEBHOOK_SECRET: secret });
  await person.putWebhook(called.agentId, { url: `http://127.0.0.1:${webhook.port}/`, secret });
  told.webhook = await person.converse(await person.add(called.agentId), webhook);
  await webhook.stop();
  return told;
}

async function tryWorker({ runtime, workplace, person, serverUrl }) {
  const { agentId, env } = await person.createAgent();
  const secret = randomBytes(32).toString('hex');
  await mkdir(join(workplace.path, 'storage'));
  await writeFile(join(workplace.path, 'worker.js'), await bundleWorker(workplace.path));
  const start = async (port) => {
    await writeFile(join(workplace.path, 'config.capnp'), workerConfig({ port }));
    const args = ['serve', 'config.capnp', '--control-fd=1'];
    return workplace.start(runtime.path, args, { ...env, PARLEY_URL: serverUrl, WEBHOOK_SECRET: secret });
  };
  const first = await start(0);
  // An object begins with its first request, and its keys are published then.
  await fetch(`http://127.0.0.1:${first.port}/`);
  await person.putWebhook(agentId, { url: `http://127.0.0.1:${first.port}/`, secret });
  const conversation = await person.add(agentId);
  const webhook = await person.converse(conversation, first);
  await first.stop('SIGKILL');
  const again = await start(first.port);
  const restarted = await person.converse(conversation, again);
  await again.stop();
  return { webhook, restarted };
}

/** A temporary folder in which the programs find what is installed in the other one. */
export async function openWorkplace(folder) {
  const path = await mkdtemp(join(tmpdir(), 'parley-runtime-'));
  const running = new Set();
  await cp(SCENARIOS, path, { recursive: true });
  await symlink(join(folder, 'node_modules'), join(path, 'node_modules'), 'junction');
  await writeFile(join(path, 'package.json'), '{ "type": "module", "private": true }');
  return {
    path,
    keystore: join(path, 'keystore'),
    start: (program, args, env) => startProcess(program, args, { cwd: path, env, running }),
    close: async () => {
      for (const { stop } of running) await stop('SIGKILL');
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Resolves when the program says that it is ready; rejects with what it printed if it ends before. */
async function startProcess(program, args, { cwd, env, running }) {
  // Nothing of the process that runs the tests: its options would be taken for the agent's.
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, HOME, TMPDIR, SystemRoot, ...env } });
  let printed = '';
  const ended = new Promise((resolve) => {
    child.on('close', resolve);
    child.on('error', (error) => {
      printed += error.message;
      resolve();
    });
  });
  const handle = {
    port: undefined,
    printed: () => printed,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
      running.delete(handle);
    },
  };
  running.add(handle);
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const ready = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      printed += `${line}\n`;
      const said = line.startsWith('{') ? JSON.parse(line) : {};
      if (said.ready !== true && said.event !== 'listen') return;
      handle.port = said.port;
      resolve(true);
    });
  });
  if (await Promise.race([ready, ended.then(() => false)])) return handle;
  running.delete(handle);
  throw new Error(printed);
}
