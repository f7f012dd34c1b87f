import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program to its end and gives back its exit code and everything it printed, `stdout` also by itself. When we are told to stop, the
 * program is stopped first: an orphan that goes on installing would meet the next installation.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true, ...options });
    let output = '';
    let stdout = '';
    let stopped;
    const stop = (signal) => {
      stopped = signal;
      child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, stop);
    const forget = () => {
      for (const signal of SIGNALS) process.off(signal, stop);
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (stream === child.stdout) stdout += text;
      });
    }
    child.on('error', (error) => {
      forget();
      reject(error);
    });
    child.on('close', (code) => {
      forget();
      if (stopped) process.exit(128 + constants.signals[stopped]);
      resolve({ code, output, stdout });
    });
  });
}
