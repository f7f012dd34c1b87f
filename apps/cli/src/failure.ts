import type { MessageKey } from './messages/index.ts';

/** What the exit codes mean, for every command (HS-7); a person's Ctrl-C has the shell's own. */
export const EXIT = { fine: 0, bad: 1, usage: 2, environment: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Sentence {
  readonly key: MessageKey;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** A command that cannot give its answer. The words are chosen where it is printed, so that they fit the locale. */
export class Failure extends Error {
  readonly code: string;
  readonly exit: ExitCode;
  readonly sentences: readonly Sentence[];

  constructor(code: string, exit: ExitCode, ...sentences: readonly Sentence[]) {
    super(code);
    this.code = code;
    this.exit = exit;
    this.sentences = sentences;
  }
}
