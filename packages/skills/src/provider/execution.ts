import type { JsonObject } from '@parley/documents';
import type { Caller, InvocationContext } from '../invoke/invoke.ts';
import type { ExecutionStatus } from '../invoke/progress.ts';
import type { SkillErrorCode } from '../skill-error.ts';
import type { Output } from './handler.ts';

/** What a caller wants done. */
export interface InvocationRequest {
  readonly inputs: JsonObject;
  readonly caller: Caller;
  readonly context: InvocationContext;
}

/** Why there is no output. The sentence is chosen when it is told, unless the handler wrote one. */
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
  /** The same key of the same caller is the same execution. */
  readonly key?: string;
  /** Of what was asked for: the same key with another digest is refused. */
  readonly digest: string;
}

export type Added =
  | { readonly state: 'added' | 'known'; readonly id: string }
  | { readonly state: 'key_reused' | 'full' };

export interface Progress {
  readonly fraction: number;
  readonly message?: string;
}

/** Does the work of one execution. Never rejects. */
export type RunExecution = (
  execution: Execution,
  control: { signal: AbortSignal; report(progress: Progress): void },
) => Promise<ExecutionResult>;

/** The executions of one skill. */
export interface Executions {
  /** Kept, as far as the store keeps anything, when it resolves. */
  add(execution: NewExecution): Promise<Added>;
  /** Undefined also for another caller's. */
  find(id: string, callerId: string): Promise<Execution | undefined>;
  /** The first end counts; a later one changes nothing. */
  settle(id: string, result: ExecutionResult): Promise<void>;
  /** Resolves when it has ended here, or after the time. */
  ended(id: string, ms: number): Promise<void>;
  /** Begins nothing more, and waits a little for what runs. */
  close(): Promise<void>;
}

export interface ExecutionStore {
  open(skillId: string, run: RunExecution): Promise<Executions>;
}

export const isOver = ({ status }: Pick<Execution, 'status'>): boolean => status !== 'accepted' && status !== 'running';

/** Why a handler is told to stop. */
export const CANCELLED = new DOMException('The execution was cancelled.', 'AbortError');
export const STOPPING = new DOMException('The provider stops.', 'AbortError');
