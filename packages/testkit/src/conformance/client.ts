/** What a client did with a call. */
export interface Executed {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the client can run: it notes that it did, and answers `{ said: <text> }`. */
export interface WantedExecutor {
  readonly tool: string;
  readonly scope: string;
}

/** A client as a person has it before them: a library, a page that a driver clicks through, a terminal. */
export interface ClientUnderTest {
  /** Adds the agent and grants it exactly these scopes. */
  add(agentId: string, scopes: readonly string[]): Promise<{ readonly conversationId: string }>;
  revoke(agentId: string, scope: string): Promise<void>;
  /** Waits until a question is asked, and answers it. */
  answer(decision: 'allow' | 'deny'): Promise<void>;
  /** Questions that are open now. */
  questions(): number;
  /** A group of this person and the agent. */
  startGroup(agentId: string): Promise<string>;
  executed(): readonly Executed[];
  close(): Promise<void>;
}

/** Makes one for a new account on the server. */
export type ConnectClient = (to: {
  readonly url: string;
  readonly executors: readonly WantedExecutor[];
}) => Promise<ClientUnderTest>;
