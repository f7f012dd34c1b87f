import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../apps/cli/dist/server/main.js', import.meta.url));
const READY_MS = 40_000;
const EXIT_MS = 15_000;
const POLL_MS = 25;

/** Two servers on one database: the first starts the embedded Postgres as `npm start` does, the second connects to it. */
export async function startNodes(folder) {
  const [onePort, twoPort] = [await findPort(), await findPort()];
  // Tokens name the address they were issued at, and both nodes must take them.
  const shared = {
    PARLEY_PUBLIC_URL: `http://localhost:${onePort}`,
    PARLEY_LOG_LEVEL: 'warn',
    PARLEY_DEMO_BOT: 'false',
    PARLEY_SYSTEM_AGENT: 'false',
  };
  const [oneDir, twoDir] = [join(folder, 'one'), join(folder, 'two')];
  const first = createNode({ ...shared, PARLEY_PORT: String(onePort), PARLEY_DATA_DIR: oneDir });
  const stopAll = () => {
    for (const pid of [first.pid(), second?.pid(), findPostmaster(oneDir)]) if (pid !== undefined) end(pid, 'SIGKILL');
  };
  let second;
  process.once('exit', stopAll);
  try {
    await first.start();
    mkdirSync(twoDir, { mode: 0o700 });
    copyFileSync(join(oneDir, 'secrets.json'), join(twoDir, 'secrets.json'));
    const read = (name) => readFileSync(join(oneDir, name), 'utf8').trim();
    second = createNode({
      ...shared,
      PARLEY_PORT: String(twoPort),
      PARLEY_DATA_DIR: twoDir,
      DATABASE_URL: `postgres://parley:${read('postgres-password')}@127.0.0.1:${read('postgres-port')}/parley`,
    });
    await second.start();
  } catch (error) {
    stopAll();
    throw error;
  }
  return {
    first,
    second,
    urls: [first.url, second.url],
    /** Resolves when the first server has started another. */
    replacePostgres: async (signal) => {
      const pid = findPostmaster(oneDir);
      if (pid === undefined) throw new Error('the Postgres of the first server is not running');
      end(pid, signal);
      const deadline = Date.now() + READY_MS;
      for (let next = pid; next === pid || next === undefined; next = findPostmaster(oneDir)) {
        if (Date.now() > deadline) throw new Error('Postgres was not started again');
        await sleep(POLL_MS);
      }
    },
    /** Returns what went wrong. The first is last, since it takes the database with it. */
    stop: async () => {
      const wrong = [...(await drain(second)), ...(await drain(first))];
      process.off('exit', stopAll);
      stopAll();
      return wrong;
    },
  };
}

/**
 * One server with its embedded Postgres, as `npm start` starts it. `openFiles` and `heapMb` make it smaller, so that less
 * is needed to fill it.
 */
export async function startAlone(folder, { settings = {}, openFiles, heapMb } = {}) {
  const port = await findPort();
  const dataDir = join(folder, 'server');
  const node = createNode(
    {
      PARLEY_PUBLIC_URL: `http://localhost:${port}`,
      PARLEY_PORT: String(port),
      PARLEY_DATA_DIR: dataDir,
      PARLEY_LOG_LEVEL: 'warn',
      PARLEY_DEMO_BOT: 'false',
      PARLEY_SYSTEM_AGENT: 'false',
      ...(heapMb === undefined ? {} : { NODE_OPTIONS: `--max-old-space-size=${heapMb}` }),
      ...settings,
    },
    openFiles,
  );
  const stopAll = () => {
    for (const pid of [node.pid(), findPostmaster(dataDir)]) if (pid !== undefined) end(pid, 'SIGKILL');
  };
  process.once('exit', stopAll);
  try {
    await node.start();
  } catch (error) {
    stopAll();
    throw error;
  }
  const read = (name) => readFileSync(join(dataDir, name), 'utf8').trim();
  return {
    node,
    url: node.url,
    databaseUrl: `postgres://parley:${read('postgres-password')}@127.0.0.1:${read('postgres-port')}/parley`,
    /** Its data goes with it, so nothing is waited for. */
    stop: async () => {
      await node.stop('SIGKILL');
      stopAll();
      process.off('exit', stopAll);
    },
  };
}

/** Told to stop it must finish what it has and end well. */
export async function drain(node) {
  const code = await node.stop('SIGTERM');
  return code === 0 ? [] : [`a server that was told to stop ended with ${code}: ${node.lastWords()}`];
}

function createNode(settings, openFiles) {
  const url = `http://127.0.0.1:${settings.PARLEY_PORT}`;
  let child;
  let ended;
  let words = '';
  return {
    url,
    /** The end of what it said on its standard error since it was started. */
    lastWords: () => words.trim().slice(-1_500),
    pid: () => (child?.exitCode === null && child.signalCode === null ? child.pid : undefined),
    start: async () => {
      words = '';
      const [command, ...rest] =
        openFiles === undefined
          ? [process.execPath, MAIN]
          : ['sh', '-c', `ulimit -n ${openFiles} && exec "$0" "$@"`, process.execPath, MAIN];
      child = spawn(command, rest, { env: cleanEnvironment(settings), stdio: ['ignore', 'ignore', 'pipe'] });
      child.stderr.setEncoding('utf8').on('data', (text) => {
        words = (words + text).slice(-4_000);
      });
      ended = new Promise((resolve) => {
        child.once('exit', (code, signal) => resolve(code ?? signal));
      });
      const deadline = Date.now() + READY_MS;
      while (!(await isReady(url))) {
        if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${words}`);
        if (Date.now() > deadline) throw new Error(`the server was not ready after ${READY_MS / 1_000} s: ${words}`);
        await sleep(POLL_MS);
      }
    },
    /** Resolves with the exit code, or the signal that ended it. */
    stop: async (signal) => {
      end(child.pid, signal);
      const late = sleep(EXIT_MS, 'late', { ref: false });
      const code = await Promise.race([ended, late]);
      if (code !== 'late') return code;
      end(child.pid, 'SIGKILL');
      await ended;
      return `not within ${EXIT_MS / 1_000} s`;
    },
    waitReady: async () => {
      const deadline = Date.now() + READY_MS;
      while (!(await isReady(url))) {
        if (child.exitCode !== null) throw new Error(`the server ended by itself with ${child.exitCode}: ${words}`);
        if (Date.now() > deadline) throw new Error(`the server was not ready again after ${READY_MS / 1_000} s`);
        await sleep(4 * POLL_MS);
      }
    },
  };
}

async function isReady(url) {
  try {
    const { ok } = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(3_000) });
    return ok;
  } catch {
    return false;
  }
}

/** Of our own environment nothing that a server would read. */
function cleanEnvironment(settings) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PARLEY_|VITEST|NODE_|DATABASE_URL$)/.test(name));
  return { ...Object.fromEntries(kept), ...settings };
}

/** The process of the Postgres below this folder: believed only if it really works on that data. */
function findPostmaster(dataDir) {
  const note = join(dataDir, 'postgres-place');
  const data = join(existsSync(note) ? readFileSync(note, 'utf8').trim() : dataDir, 'postgres');
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const isOurs = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data);
    return isOurs ? pid : undefined;
  } catch {
    return undefined;
  }
}

function end(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Below those that systems give out by themselves: while a node is down, and before it is up, no connection of anybody
 * gets its port by chance.
 */
const [FIRST_PORT, PORTS] = [15_000, 15_000];

function findPort() {
  return new Promise((resolve) => {
    const port = FIRST_PORT + randomInt(PORTS);
    const probe = createServer();
    probe.on('error', () => resolve(findPort()));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)));
  });
}
