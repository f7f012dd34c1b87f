// Checks the vectors of the encryption with a second implementation, in Python, that shares no code with ours (EE-13).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CHECK = fileURLToPath(new URL('../vectors/e2ee/check.py', import.meta.url));
const python = process.env.PYTHON ?? 'python3';

const probe = spawnSync(python, ['-c', 'import cryptography'], { stdio: 'ignore' });
if (probe.status === 0) {
  process.exitCode = spawnSync(python, ['-B', CHECK], { stdio: 'inherit' }).status ?? 1;
} else {
  const missing = probe.error === undefined ? 'its package `cryptography`' : `Python (\`${python}\`)`;
  console.error(`The check needs Python 3 with the package \`cryptography\`; ${missing} was not found.`);
  console.error('Debian and Ubuntu: apt-get install python3-cryptography. Elsewhere: pip install cryptography.');
  console.error('PYTHON names another interpreter.');
  process.exitCode = 3;
}
