import type { ExitCode } from './exit-code.ts';
import type { Paint } from './paint.ts';

/** The result of a command, before anything is printed. */
export interface CommandResult {
  readonly exit: ExitCode;
  /** What `--json` prints to standard output, in place of both texts. */
  readonly json: unknown;
  /** What people read on standard output, as whole lines. */
  readonly text: (paint: Paint) => string;
  /** What people read on standard error. */
  readonly stderr?: (paint: Paint) => string;
}
