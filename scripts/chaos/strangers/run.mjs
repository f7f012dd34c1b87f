import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startAlone } from '../nodes.mjs';
import { ATTACKS } from './attacks/index.mjs';
import { createInnocent } from './innocent.mjs';
import { judge, ratioOf } from './measure.mjs';

const ATTACKER = fileURLToPath(new URL('./attacker.mjs', import.meta.url));
const PREPARE_MS = 120_000;
const WARM_MS = 1_500;
const QUIET_MS = 4_000;
/** The time after an attack in which a message that was sent during it may still be answered. */
const GRACE_MS = 500;
const MEMORY_EVERY_MS = 200;

const ATTACK_NAMES = ATTACKS.map(({ name }) => name);

/**
 * One attack after the other, each on a server of its own, while an innocent goes on talking. Returns a row for each. Needs a
 * build.
 */
export async function runStrangers({ names = ATTACK_NAMES, seconds, tell = () => {} }) {
  const rows = [];
  for (const attack of ATTACKS.filter(({ name }) => names.includes(name))) {
    const row = await runAttack(attack, seconds).catch((error) => toFailedRow(attack, error));
    rows.push(row);
    tell(row);
  }
  return rows;
}

/** One that could not be carried out says nothing about the others. */
function toFailedRow({ name, item, title }, error) {
  const none = { median: null, p95: null, slowest: null, count: 0 };
  return {
    name,
    item,
    title,
    quiet_ms: none,
    ack_ms: none,
    ratio: null,
    webhook_ms: none,
    newcomer_ms: none,
    recovery_ms: null,
    memory_mb: 0,
    attacker: {},
    innocent_refusals: {},
    faults: [`it could not be carried out: ${error.message}`],
  };
}

async function runAttack(attack, seconds) {
  const { name, item, title, server: sizes, guardsNewcomers } = attack;
  const folder = mkdtempSync(join(tmpdir(), 'parley-strangers-'));
  // Postgres runs as another user where we are root, and must get there; else its data would lie elsewhere and stay.
  chmodSync(folder, 0o711);
  // The proxy whose word the attackers' addresses are is this machine; webhooks are on it, too.
  const settings = { PARLEY_TRUSTED_PROXIES: '127.0.0.1', PARLEY_ALLOW_PRIVATE_ADDRESSES: 'true' };
  const server = await startAlone(folder, { ...sizes, settings: { ...settings, ...sizes?.settings } });
  let innocent;
  let attacker;
  try {
    attacker = startAttacker({ name, url: server.url, databaseUrl: server.databaseUrl, seconds });
    await attacker.ready;
    innocent = await createInnocent(server.url);
    await sleep(WARM_MS);
    const quietFrom = performance.now();
    await sleep(QUIET_MS);
    const began = performance.now();
    const quiet = innocent.summarise(quietFrom, began - GRACE_MS);
    const memory = watchMemory(server.node);
    await attacker.run(1_000 * seconds);
    const ended = performance.now();
    await sleep(GRACE_MS);
    const recovery = server.node.pid() === undefined ? undefined : await innocent.recover(ended, quiet.ack);
    // Only now: what has not come by then has waited until then.
    const attacked = innocent.summarise(began, ended);
    const gone = server.node.pid() === undefined ? server.node.lastWords().slice(-300) || 'without a word' : undefined;
    const measured = { quiet: quiet.ack, ...attacked, recovery, ended: gone, guardsNewcomers };
    const faults = judge(measured);
    return {
      name,
      item,
      title,
      quiet_ms: round(quiet.ack),
      ack_ms: round(attacked.ack),
      ratio: toTenth(ratioOf(quiet.ack, attacked.ack)),
      webhook_ms: round(attacked.webhook),
      newcomer_ms: round(attacked.newcomer),
      recovery_ms: recovery === undefined ? null : Math.round(recovery),
      memory_mb: memory.stop(),
      attacker: attacker.answers(),
      innocent_refusals: innocent.refusals,
      faults,
    };
  } finally {
    attacker?.stop();
    innocent?.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prepares at once; attacks when it is told to. */
function startAttacker(options) {
  const child = spawn(process.execPath, [ATTACKER, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const stop = () => {
    child.kill('SIGKILL');
    process.off('exit', stop);
  };
  process.once('exit', stop);
  let words = '';
  let answers = {};
  child.stderr.setEncoding('utf8').on('data', (text) => {
    words = (words + text).slice(-2_000);
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const ready = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${options.name} was not prepared in time`)), PREPARE_MS);
    child.on('message', (message) => {
      clearTimeout(timer);
      answers = message.answers ?? answers;
      resolve();
    });
    void ended.then((code) => {
      clearTimeout(timer);
      reject(new Error(`the attacker ${options.name} ended with ${code} before it began: ${words}`));
    });
  });
  return {
    ready,
    answers: () => answers,
    /** Always as long as it may take, also where the attacker is done before: what it left behind counts. */
    run: async (limit) => {
      child.send({ go: true });
      await sleep(limit);
      await Promise.race([ended, sleep(2_000)]);
      stop();
    },
    stop,
  };
}

/** The most memory that the server was seen to use, in MB. */
function watchMemory({ pid }) {
  let most = 0;
  const look = () => {
    try {
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid()}/status`, 'utf8')) ?? [];
      most = Math.max(most, Number(kilobytes ?? 0) / 1_024);
    } catch {
      // It has ended, which is told elsewhere, or there is no /proc.
    }
  };
  const timer = setInterval(look, MEMORY_EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return Math.round(most);
    },
  };
}

const toTenth = (value) => (value === undefined ? null : Math.round(10 * value) / 10);
const round = ({ count, ...values }) => ({
  ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toTenth(value)])),
  count,
});
