import type { ExitCode } from './failure.ts';
import type { Paint } from './paint.ts';

/** What a command found out, before anything is printed. */
export interface Outcome {
  readonly exit: ExitCode;
  /** What `--json` prints, to standard output, complaints included. */
  readonly json: unknown;
  /** What people read on standard output: whole lines. */
  readonly text: (paint: Paint) => string;
  /** What people read on standard error. */
  readonly complaints?: (paint: Paint) => string;
}
