/** A call that the client executed. */
export interface Executed {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** An executor that the client must offer: it records the call, and answers `{ said: <text> }`. */
export interface WantedExecutor {
  readonly tool: string;
  readonly scope: string;
}

/** A client as its user sees it: a library, a page that a driver clicks through, a terminal. */
export interface ClientUnderTest {
  /** Adds the agent and grants it exactly these scopes. */
  add(agentId: string, scopes: readonly string[]): Promise<{ readonly conversationId: string }>;
  revoke(agentId: string, scope: string): Promise<void>;
  /** Waits until a question is asked, and answers it. */
  answer(decision: 'allow' | 'deny'): Promise<void>;
  /** The number of questions that are open now. */
  questions(): number;
  /** Starts a group of this user and the agent. */
  startGroup(agentId: string): Promise<string>;
  executed(): readonly Executed[];
  close(): Promise<void>;
}

/** Connects a client for a new account on the server. */
export type ConnectClient = (to: {
  readonly url: string;
  readonly executors: readonly WantedExecutor[];
}) => Promise<ClientUnderTest>;
