import type { SkillErrorCode } from '../skill-error.ts';

export type ExecutionStatus = 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled';
export const STATUSES: readonly ExecutionStatus[] = ['accepted', 'running', 'completed', 'failed', 'cancelled'];

export type Step = 'invoke' | 'status' | 'result';

/** The events of an invocation while it runs. They contain no credential. */
export type ProgressEvent =
  | {
      readonly type: 'retry';
      readonly step: Step;
      /** The number of the attempt that failed, from 1. */
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly delayMs: number;
      readonly code: SkillErrorCode;
      readonly status?: number;
    }
  | {
      readonly type: 'state';
      readonly status: ExecutionStatus;
      readonly executionId: string;
      /** The progress in the provider's own units. */
      readonly progress?: number;
      readonly message?: string;
    }
  | { readonly type: 'cancelling'; readonly executionId: string };
