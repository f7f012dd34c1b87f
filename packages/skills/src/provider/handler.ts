import { ParleyError } from '@parley/base';
import type { Json, JsonObject } from '@parley/documents';
import { ERRORS } from '@parley/protocol/errors';
import type { Caller } from '../invoke/invoke.ts';

/** JSON as the output's schema has it; bytes where the output is neither JSON nor text. */
export type Output = Json | Uint8Array;

export interface HandlerContext {
  readonly executionId: string;
  /** Whom the credentials belong to; `anonymous` where the skill asks for none. */
  readonly callerId: string;
  /** What the caller says about itself: nobody has checked it. */
  readonly caller: Caller;
  readonly traceId?: string;
  /** From 1. More than that: an earlier attempt was interrupted, and may have done part of the work. */
  readonly attempt: number;
  /** Aborted when the execution is cancelled, its time is over or the provider stops. */
  readonly signal: AbortSignal;
  /** Seen by whoever asks for the status. The fraction is between 0 and 1. */
  progress(fraction: number, message?: string): void;
}

/** The inputs fit their schemas, defaults filled in. */
export type SkillHandler = (inputs: JsonObject, context: HandlerContext) => Promise<Output> | Output;

const SENTENCE = { en: '{text}', 'zh-CN': '{text}' };

/** Thrown by a handler: its message is for the caller. Whatever else it throws says nothing to anyone outside. */
export class HandlerError extends ParleyError<'EXECUTION_FAILED'> {
  readonly details: JsonObject;

  constructor(message: string, details: JsonObject = {}) {
    super('EXECUTION_FAILED', { retry: ERRORS.EXECUTION_FAILED.retry, text: SENTENCE }, { params: { text: message } });
    this.name = 'HandlerError';
    this.details = details;
  }
}
