import type { Problem } from '@parley/messenger';

/** Something went wrong that no caller waits for; comes to `onError`. `problem` has the details. */
export class AgentError extends Error {
  readonly code: string;
  readonly problem: Problem;

  constructor(problem: Exclude<Problem, { kind: 'handler' }>) {
    super(TEXTS[problem.kind], 'error' in problem ? { cause: problem.error } : {});
    this.name = 'AgentError';
    this.code = problem.kind.toUpperCase();
    this.problem = problem;
  }
}

const TEXTS = {
  identity_changed: 'The keys of someone have changed. Compare the safety number, then call agent.trust.accept.',
  weaker_mode: 'Another agent went over to a weaker kind of encryption.',
  undecryptable: 'A message could not be opened and is lost.',
  gone: 'Messages were no longer kept by the server when the agent came back.',
  unsent: 'A message of an earlier run could not be sent.',
  store: 'The keystore cannot be written. Nothing is sent or received until the agent is started again.',
  connection: 'The connection failed; it is tried again.',
} as const satisfies Record<Exclude<Problem['kind'], 'handler'>, string>;

export const toError = (problem: Problem): unknown =>
  problem.kind === 'handler' ? problem.error : new AgentError(problem);
