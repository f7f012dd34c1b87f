/** A line that someone is asked for. */
export interface Question {
  readonly label: string;
  /** Shown as dots. */
  readonly secret?: boolean;
  readonly initial?: string;
}

export interface AskOptions {
  /** Asked before the question that is open, which comes back afterwards. Waits while a line is half typed. */
  readonly urgent?: boolean;
  /** Aborted, the question is gone and its answer `undefined`. */
  readonly signal?: AbortSignal;
}

/** Where a conversation is drawn: a terminal, or lines through a pipe. Text that is printed is fit to be. */
export interface Screen {
  readonly columns: number;
  /** Whole lines. They never tear what is being typed. */
  print(text: string): void;
  /** What is going on at the moment, drawn below everything that was printed; no lines remove it. */
  setStatus(name: string, lines: readonly string[]): void;
  /** Undefined: the person has left, or the question was taken back. */
  ask(question: Question, options?: AskOptions): Promise<string | undefined>;
  /** No more questions: every open one is answered with `undefined`. */
  close(): void;
}
