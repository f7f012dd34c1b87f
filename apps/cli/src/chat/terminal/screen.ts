/** A question that is answered with one line. */
export interface Question {
  readonly label: string;
  /** The typed text is shown as dots. */
  readonly secret?: boolean;
  readonly initial?: string;
}

export interface AskOptions {
  /** Interrupts the open question, which returns afterwards, but waits while a line is half typed. */
  readonly urgent?: boolean;
  /** Aborting removes the question and answers it with `undefined`. */
  readonly signal?: AbortSignal;
}

/** Draws a conversation in a terminal or as lines through a pipe. Callers pass only text that is safe to print. */
export interface Screen {
  readonly columns: number;
  /** Prints whole lines without disturbing the line that is being typed. */
  print(text: string): void;
  /** Draws the current activity below everything that was printed. An empty list removes it. */
  setStatus(name: string, lines: readonly string[]): void;
  /** Undefined means that the person left or the question was withdrawn. */
  ask(question: Question, options?: AskOptions): Promise<string | undefined>;
  /** Answers every open question with `undefined` and asks no more. */
  close(): void;
}
