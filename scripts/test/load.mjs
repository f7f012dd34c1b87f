import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Busy but for an instant in which it notices that its parent is gone. */
const BURN = `
process.stdin.on('end', () => process.exit()).resume();
const burn = () => {
  const end = Date.now() + 95;
  while (Date.now() < end);
  setTimeout(burn, 0);
};
burn();
`;

/** Keeps every core busy until `stop` is called or this process ends, however it ends. */
export function startLoad(cores = availableParallelism()) {
  const children = Array.from({ length: cores }, () =>
    spawn(process.execPath, ['-e', BURN], { stdio: ['pipe', 'ignore', 'inherit'] }),
  );
  return {
    pids: children.map((child) => child.pid),
    stop: () =>
      Promise.all(
        children.map(
          (child) =>
            new Promise((resolve) => {
              if (child.exitCode !== null || child.signalCode !== null) return resolve();
              child.once('exit', () => resolve());
              child.stdin.end();
            }),
        ),
      ),
  };
}
