import type { JsonObject } from '@parley/documents';
import type { Caller, InvocationContext } from '../invoke/invoke.ts';
import type { ExecutionStatus } from '../invoke/progress.ts';
import type { SkillErrorCode } from '../skill-error.ts';
import type { Output } from './handler.ts';

/** What a caller asks for. */
export interface InvocationRequest {
  readonly inputs: JsonObject;
  readonly caller: Caller;
  readonly context: InvocationContext;
}

/** Why there is no output. The sentence is chosen when the error is sent, unless the handler wrote one. */
export interface ExecutionError {
  readonly code: SkillErrorCode;
  readonly message?: string;
  readonly details?: JsonObject;
}

export type ExecutionResult =
  | { readonly status: 'completed'; readonly output: Output }
  | { readonly status: 'failed'; readonly error: ExecutionError }
  | { readonly status: 'cancelled' };

export interface Execution {
  readonly id: string;
  readonly callerId: string;
  readonly status: ExecutionStatus;
  readonly work: InvocationRequest;
  readonly attempt: number;
  readonly deadline: Date;
  readonly progress?: number;
  readonly message?: string;
  readonly output?: Output;
  readonly error?: ExecutionError;
}

export interface NewExecution extends Pick<Execution, 'id' | 'callerId' | 'work' | 'deadline'> {
  /** The same key of the same caller means the same execution. */
  readonly key?: string;
  /** The digest of the request: the same key with another digest is refused. */
  readonly digest: string;
}

export type Added =
  | { readonly state: 'added' | 'known'; readonly id: string }
  | { readonly state: 'key_reused' | 'full' };

export interface Progress {
  readonly fraction: number;
  readonly message?: string;
}

/** Does the work of one execution. It never rejects. */
export type RunExecution = (
  execution: Execution,
  control: { signal: AbortSignal; report(progress: Progress): void },
) => Promise<ExecutionResult>;

/** The executions of one skill. */
export interface Executions {
  /** Resolves when the execution is stored, as durably as the store can. */
  add(execution: NewExecution): Promise<Added>;
  /** Returns undefined also for an execution of another caller. */
  find(id: string, callerId: string): Promise<Execution | undefined>;
  /** Only the first result counts; a later one changes nothing. */
  settle(id: string, result: ExecutionResult): Promise<void>;
  /** Resolves when the execution has ended in this process, or after the time. */
  ended(id: string, ms: number): Promise<void>;
  /** Starts nothing more, and waits a little for running executions. */
  close(): Promise<void>;
}

export interface ExecutionStore {
  open(skillId: string, run: RunExecution): Promise<Executions>;
}

export const isOver = ({ status }: Pick<Execution, 'status'>): boolean => status !== 'accepted' && status !== 'running';

/** The reason for a handler's abort signal. */
export const CANCELLED = new DOMException('The execution was cancelled.', 'AbortError');
export const STOPPING = new DOMException('The provider stops.', 'AbortError');
