import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const CURRENT = fileURLToPath(new URL('../../../packages/server/dist/index.js', import.meta.url));
const SCRIPT = `
  const [entry, text] = process.argv.slice(1);
  const { createServer } = await import('file://' + entry);
  const { secrets, ...config } = JSON.parse(text);
  const [tokenSecret, storageSecret] = secrets.map((secret) => Buffer.from(secret, 'base64'));
  const server = await createServer({ ...config, tokenSecret, storageSecret });
  process.stdout.write(server.url + '\\n');
  process.on('SIGTERM', () => server.close().then(() => process.exit(0)));`;

/** Settings that both versions understand. */
export function makeSettings(databaseUrl) {
  return {
    databaseUrl,
    host: '127.0.0.1',
    port: 0,
    // Both take the tokens of either.
    publicUrl: 'http://localhost:8484',
    development: true,
    secrets: [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')],
    passwordCost: { memoryCost: 8, timeCost: 1 },
    trustedProxies: [],
    mailFrom: 'parley@localhost',
    allowPrivateAddresses: true,
    retention: { envelopeDays: 30, eventDays: 30, deliveryDays: 30 },
    poolSize: 6,
    logLevel: 'warn',
  };
}

/** Starts a server in a process of its own; `entry` is the module that exports `createServer`. */
export async function startNode(settings, entry = CURRENT) {
  const args = ['--input-type=module', '-e', SCRIPT, entry, JSON.stringify(settings)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    words = (words + text).slice(-8_000);
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  const url = await new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text).trim()));
    void ended.then((code) => reject(new Error(`a server ended with ${code}: ${words}`)));
  });
  return {
    url,
    words: () => words,
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(kill, 15_000);
      await ended;
      clearTimeout(timer);
      process.off('exit', kill);
    },
  };
}
