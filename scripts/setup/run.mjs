import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const running = new Set();
let stopped;

/** When we are told to stop, programs are stopped first: an orphan that goes on installing would meet the next installation. */
function stop(signal) {
  stopped = signal;
  for (const child of running) child.kill(signal);
}

function add(child) {
  if (running.size === 0) for (const signal of SIGNALS) process.on(signal, stop);
  running.add(child);
}

function remove(child) {
  running.delete(child);
  if (running.size > 0) return;
  for (const signal of SIGNALS) process.off(signal, stop);
  if (stopped) process.exit(128 + constants.signals[stopped]);
}

/** Runs a program to its end and gives back its exit code and everything it printed, `stdout` also by itself. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true, ...options });
    let output = '';
    let stdout = '';
    add(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (stream === child.stdout) stdout += text;
      });
    }
    child.on('error', (error) => {
      remove(child);
      reject(error);
    });
    child.on('close', (code) => {
      remove(child);
      resolve({ code, output, stdout });
    });
  });
}
