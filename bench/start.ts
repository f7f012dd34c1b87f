import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchRow } from './measure.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BARE = ['-e', 'process.stdout.write("x")'];
const ROUNDS = 5;
const AIM_MS = 150;
/** No server listens at this address, so the command is measured up to the connection. */
const NOWHERE = ['--url', 'http://127.0.0.1:1'];

type Program = 'parley' | 'roleos';
const programFile = (program: Program): string => join(ROOT, `apps/cli/bin/${program}.js`);

/** Compares the time every command takes to start and finish (HS-15) with a Node process that prints one letter. */
export async function* run(): AsyncIterable<BenchRow> {
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  // The home is empty, so that no accounts or settings of the person are used.
  const env = { PATH: process.env.PATH ?? '', HOME: home, PARLEY_DATA_DIR: join(home, 'server') };
  try {
    const commands = [...listHelp('parley', env), ...listHelp('roleos', env), ...listUses(home)];
    for (const [program, ...args] of commands) yield await measureStart(program, args, env);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

type Use = readonly [Program, ...string[]];
type Environment = Readonly<Record<string, string>>;

/** Runs `--help` of the program and of each command that the help lists. */
function listHelp(program: Program, env: Environment, path: readonly string[] = []): Use[] {
  const help = execFileSync(process.execPath, [programFile(program), ...path, '--help'], { env, encoding: 'utf8' });
  const [, list = ''] = /^Commands:\n((?: {2}.*\n)*)/m.exec(help) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z-]+)/gm)].map((match) => match[1]!).filter((name) => name !== 'help');
  return [[program, ...path, '--help'], ...names.flatMap((name) => listHelp(program, env, [...path, name]))];
}

/** These commands do real work; those that need a server run until they connect. */
function listUses(home: string): Use[] {
  const [manifest, next] = ['demobot', 'demobot-next'].map((name) => join(ROOT, `examples/manifests/${name}.json`));
  const bundle = join(ROOT, 'examples/bundles/note-taker');
  const asking = join(ROOT, 'examples/bundles/research-pipeline');
  const skill = join(ROOT, 'examples/skills/translate.json');
  return [
    ['parley', '--version'],
    ['parley', 'completion', 'bash'],
    ['parley', 'manifest', 'init', '-'],
    ['parley', 'manifest', 'validate', manifest!],
    ['parley', 'manifest', 'hash', manifest!],
    ['parley', 'manifest', 'preview', manifest!],
    ['parley', 'manifest', 'diff', manifest!, next!],
    ['parley', 'manifest', 'push', manifest!, '--agent', 'none', ...NOWHERE],
    ['parley', 'tour'],
    ['parley', 'status'],
    ['parley', 'stop'],
    ['parley', 'backup', join(home, 'backup')],
    ['parley', 'skill', 'validate', skill],
    ['parley', 'skill', 'show', skill],
    ['parley', 'skill', 'search', ...NOWHERE],
    ['parley', 'whoami', ...NOWHERE],
    ['parley', 'devices', 'list', ...NOWHERE],
    ['parley', 'audit', 'list', ...NOWHERE],
    ['parley', 'agent', 'list', ...NOWHERE],
    ['parley', 'chat', 'Bot', '--send', 'hello', ...NOWHERE],
    ['parley', 'bundle', 'validate', bundle],
    ['parley', 'bundle', 'run-as-agent', 'none', '--workspace', home],
    ['roleos', '--version'],
    ['roleos', 'validate', bundle],
    // The kits of this bundle need runtimes.
    ['roleos', 'validate', asking],
    ['roleos', 'init', '--yes'],
    ['roleos', 'preview', bundle, '--workspace', home],
    ['roleos', 'status', '--workspace', home],
    ['roleos', 'uninstall', 'none', '--workspace', home],
  ];
}

interface Start {
  /** Processor time of the whole process, because wall-clock time would also count other processes. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

async function measureStart(program: Program, args: readonly string[], env: Environment): Promise<BenchRow> {
  const ours: Start[] = [];
  const peer: Start[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await timeStart([programFile(program), ...args], env));
    peer.push(await timeStart(BARE, env));
  }
  const [cpuMs, peerMs] = [ours, peer].map((starts) => Math.min(...starts.map((start) => start.cpuMs))) as [
    number,
    number,
  ];
  const wallMs = Math.min(...ours.map((start) => start.wallMs));
  return {
    name: [program, ...args.map((arg) => (arg.startsWith('/') ? basename(arg) : arg))].join(' '),
    detail: `processor time; first output after ${wallMs.toFixed(0)} ms; Node alone (limit)`,
    ours: cpuMs,
    peer: peerMs,
    unit: 'ms',
    ratio: peerMs / cpuMs,
    aim: `< ${AIM_MS} ms`,
    met: cpuMs < AIM_MS,
  };
}

/** Reports the processor time and memory of the process when it exits. */
const REPORT = `process.on('exit', () => require('node:fs').writeSync(3, JSON.stringify(process.cpuUsage())))`;

function timeStart(args: readonly string[], env: Environment): Promise<Start> {
  const report = join(env.HOME!, 'report.cjs');
  writeFileSync(report, REPORT);
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const;
    const child = spawn(process.execPath, ['--require', report, ...args], { env, stdio: [...stdio] });
    let wallMs: number | undefined;
    let used = '';
    for (const stream of [child.stdout, child.stderr])
      stream!.on('data', () => {
        wallMs ??= performance.now() - begun;
      });
    child.stdio[3]!.on('data', (text) => {
      used += text;
    });
    child.on('error', reject).on('close', () => {
      if (wallMs === undefined) return reject(new Error(`bench: ${args.join(' ')} printed nothing`));
      const { user, system } = JSON.parse(used) as NodeJS.CpuUsage;
      resolve({ cpuMs: (user + system) / 1000, wallMs });
    });
  });
}
