import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { splitLasting } from './blocks.mjs';

const PATIENCE_MS = 60_000;
/** What Ctrl-C may end a program with. */
const INTERRUPTED = ['0', '130'];

/** Undefined, in the end. */
const patience = () =>
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS).unref();
  });

/** Quick forms of npm and npx, which need a second where a program needs none. */
const QUICK = readFileSync(new URL('./npm.sh', import.meta.url), 'utf8');
const PRELUDE = `
set -eE -o pipefail
trap 'echo "ended with $?: $BASH_COMMAND" >&2' ERR
`;

/**
 * A terminal: one bash that goes on from block to block.
 *
 * @param {{ cwd: string, env: Record<string, string>, packed?: string, temporary: string }} options With `packed`, a
 *   folder in which everything is installed, npm and npx are replaced by quick forms.
 */
export function openSession({ cwd, env, packed, temporary }) {
  const scratch = mkdtempSync(join(temporary, 'session-'));
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    env: packed === undefined ? env : { ...env, GUIDE_PACKED: packed },
    // 3 is for what the lines below report, 4 for what programs print that go on.
    stdio: ['pipe', 'ignore', 'inherit', 'pipe', 'pipe'],
    detached: true,
  });
  bash.stdin.on('error', () => {});
  bash.stdin.write(packed === undefined ? PRELUDE : QUICK + PRELUDE);
  const exited = once(bash, 'exit').then(() => undefined);
  const reports = new EventEmitter();
  createInterface({ input: bash.stdio[3] }).on('line', (line) => {
    const [name, ...values] = line.split(' ');
    reports.emit(name, ...values);
  });
  const screen = createInterface({ input: bash.stdio[4] });
  const lasting = [];
  let count = 0;

  /** The values of a report; undefined if bash has ended. */
  const heard = (name) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return Promise.race([once(reports, name, { signal }), exited]);
  };

  /** Gives what was printed, or throws with it. */
  async function run(code) {
    const name = join(scratch, `${++count}`);
    writeFileSync(`${name}.sh`, code);
    bash.stdin.write(`. ${name}.sh > ${name}.out 2>&1 < /dev/null; echo done >&3\n`);
    const done = await heard('done').catch((error) => [error]);
    const printed = readFileSync(`${name}.out`, 'utf8');
    if (done?.length !== 0) throw new Error(`${code}\n${printed}${done?.[0] ?? ''}`);
    return printed;
  }

  async function startLasting(command) {
    const printed = [];
    const print = (line) => printed.push(line);
    screen.on('line', print);
    const started = heard('started');
    // A trap lets the subshell outlive Ctrl-C for as long as it takes to say how the program ended.
    bash.stdin.write(`set -m; (
      trap : INT; trap - ERR; set +e
      ${command}
      echo "ended $BASHPID $?" >&3
    ) >&4 2>&1 < /dev/null & echo "started $!" >&3; set +m\n`);
    const [pid] = await started;
    const ended = new Promise((resolve) => {
      reports.on('ended', (who, code) => who === pid && resolve(code));
    });
    lasting.push({ pid: Number(pid), command, ended });
    // npm begins with lines that say what it runs.
    while (printed.every((line) => line === '' || line.startsWith('>'))) {
      const line = once(screen, 'line', { signal: AbortSignal.timeout(PATIENCE_MS) });
      const code = await Promise.race([line.then(() => undefined), ended]);
      if (code !== undefined) throw new Error(`${command}\n${printed.join('\n')}\nended with ${code}`);
    }
    screen.off('line', print);
  }

  /** Presses Ctrl-C in every window where a program runs. */
  async function interrupt() {
    for (const { pid, command, ended } of lasting.splice(0)) {
      const early = await Promise.race([ended, undefined]);
      if (early !== undefined) throw new Error(`${command}\nended with ${early} before anyone pressed Ctrl-C`);
      process.kill(-pid, 'SIGINT');
      const code = await Promise.race([ended, patience()]);
      if (code === undefined) process.kill(-pid, 'SIGKILL');
      if (!INTERRUPTED.includes(code)) throw new Error(`${command}\nended with ${code} after Ctrl-C`);
    }
  }

  return {
    run,
    interrupt,
    /** Types the commands of a block; what runs until Ctrl-C goes on while others are typed elsewhere. */
    async type(code) {
      const { before, lasting: command } = splitLasting(code);
      await run(before);
      if (command !== undefined) await startLasting(command);
    },
    /** Ends whatever still runs, also after a failure. */
    async close() {
      await interrupt().catch(() => {});
      // With whatever it is waiting for.
      if (bash.exitCode === null) process.kill(-bash.pid, 'SIGKILL');
      await exited;
    },
  };
}
