/** One reason why the server does not start, as data. Its words are in texts.ts. */
export interface Problem {
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
}

/** The server does not start, for every reason that could be found at once. */
export class Refusal extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ code }) => code).join(', '));
    this.problems = problems;
  }
}

export function refuse(code: string, params: Problem['params'] = {}): Refusal {
  return new Refusal([{ code, params }]);
}
