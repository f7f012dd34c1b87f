import type { ExitCode } from '../exit-code.ts';
import { main } from '../main.ts';
import { createRoleos } from './program.ts';

/** Runs the command `roleos` and returns its exit code. */
export const runRoleos = (argv: readonly string[]): Promise<ExitCode> =>
  main(argv, { name: 'roleos', create: createRoleos });
