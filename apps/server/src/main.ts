import { localeOfEnvironment } from '@parley/base';
import { run } from './run.ts';

const code = await run({
  env: process.env,
  locale: localeOfEnvironment(process.env),
  tell: (line) => process.stdout.write(`${line}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
});
// Something that did not end in time may still keep the process alive.
process.exit(code);
