import type { ExitCode } from '../exit-code.ts';
import { main } from '../main.ts';
import { createRoleos } from './program.ts';

/** The whole command `roleos`: arguments in, exit code out. */
export const runRoleos = (argv: readonly string[]): Promise<ExitCode> =>
  main(argv, { name: 'roleos', create: createRoleos });
