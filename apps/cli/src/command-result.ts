import type { ExitCode } from './exit-code.ts';
import type { Paint } from './paint.ts';

/** What a command found out, before anything is printed. */
export interface CommandResult {
  readonly exit: ExitCode;
  /** What `--json` prints, to standard output, stderr included. */
  readonly json: unknown;
  /** What people read on standard output: whole lines. */
  readonly text: (paint: Paint) => string;
  /** What people read on standard error. */
  readonly stderr?: (paint: Paint) => string;
}
