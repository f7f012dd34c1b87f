import { spawn } from 'node:child_process';

/**
 * A command, to its end. With `say`, each line is passed on as it is printed.
 *
 * @param {string} root @param {readonly [string, ...string[]]} command
 * @param {{ say?: (line: string) => void, env?: Record<string, string> }} options
 * @returns {Promise<{ ok: boolean, output: string, errors: string }>}
 */
export function run(root, [program, ...args], { say, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    const texts = { output: '', errors: '' };
    for (const [name, stream] of [
      ['output', child.stdout],
      ['errors', child.stderr],
    ]) {
      stream.setEncoding('utf8').on('data', (text) => {
        texts[name] += text;
        say?.(text.trimEnd());
      });
    }
    child.on('error', (error) => resolve({ ok: false, output: '', errors: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, ...texts }));
  });
}
