import { localeOfEnvironment } from '@parley/base';
import { run } from './run.ts';

// A file or a terminal that cannot take a line must not end the server (OP-8).
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const code = await run({
  env: process.env,
  locale: localeOfEnvironment(process.env),
  tell: (line) => process.stdout.write(`${line}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
});
// Something that did not end in time may still keep the process alive.
process.exit(code);
