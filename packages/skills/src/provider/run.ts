import { displayText, type Json, type JsonObject } from '@parley/documents';
import { isJsonType } from '@parley/documents/skill';
import { createRedactor } from '../http/redact.ts';
import { checkOutput, type PreparedSkill } from '../invoke/prepare.ts';
import { SkillError } from '../skill-error.ts';
import type { Execution, ExecutionError, ExecutionResult, RunExecution } from './execution.ts';
import { type HandlerContext, HandlerError, type Output, type SkillHandler } from './handler.ts';
import { wireViolations } from './http/responses.ts';

export interface RunOptions {
  readonly maxOutputBytes: number;
  readonly onError: (error: unknown, executionId: string) => void;
}

const MAX_MESSAGE = 500;
const TIMED_OUT = new DOMException('The time of the execution is over.', 'TimeoutError');
const NOTHING_HIDDEN = createRedactor();

/** The handler, with a time limit, and with its output checked (SI-2). */
export function createRun(skill: PreparedSkill, handler: SkillHandler, options: RunOptions): RunExecution {
  return (execution, { signal, report }) => {
    const controller = new AbortController();
    const stop = () => controller.abort(signal.reason);
    const timer = setTimeout(() => controller.abort(TIMED_OUT), Math.max(0, execution.deadline.getTime() - Date.now()));
    const context: HandlerContext = {
      ...describe(execution),
      signal: controller.signal,
      progress: (fraction, message) => {
        if (!Number.isFinite(fraction)) throw new TypeError('progress: fraction must be a number between 0 and 1');
        const told = message === undefined ? {} : { message: displayText(String(message), MAX_MESSAGE) };
        report({ fraction: Math.min(1, Math.max(0, fraction)), ...told });
      },
    };
    return new Promise<ExecutionResult>((resolve) => {
      // One that does not listen to its signal is left alone: what it still says comes too late.
      controller.signal.addEventListener('abort', () => resolve(interrupted(controller.signal)));
      signal.addEventListener('abort', stop);
      if (signal.aborted) return stop();
      void Promise.resolve()
        .then(() => handler(execution.work.inputs, context))
        .then((output) => ({ status: 'completed', output: accept(skill, output, options.maxOutputBytes) }) as const)
        .catch((error: unknown) => {
          if (!controller.signal.aborted) options.onError(error, execution.id);
          return { status: 'failed', error: explain(error) } as const;
        })
        .then(resolve);
    }).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    });
  };
}

function describe({ id, callerId, work, attempt }: Execution) {
  const { trace_id: traceId } = work.context;
  return {
    executionId: id,
    callerId,
    caller: work.caller,
    attempt,
    ...(traceId === undefined ? {} : { traceId }),
  };
}

function interrupted({ reason }: AbortSignal): ExecutionResult {
  return reason === TIMED_OUT ? { status: 'failed', error: { code: 'EXECUTION_TIMEOUT' } } : { status: 'cancelled' };
}

function accept(skill: PreparedSkill, output: Output, maxBytes: number): Output {
  const type = skill.descriptor.output.content_type;
  if (output instanceof Uint8Array) {
    if (isJsonType(type) || type.startsWith('text/')) throw invalid('bytes');
    if (output.byteLength > maxBytes) throw invalid('too_large');
    return output;
  }
  if (!isJsonType(type) && !(type.startsWith('text/') && typeof output === 'string')) throw invalid('not_bytes');
  const text = JSON.stringify(output) as string | undefined;
  if (text === undefined) throw invalid('nothing');
  if (new TextEncoder().encode(text).byteLength > maxBytes) throw invalid('too_large');
  // What is checked is what is kept, whatever the handler does with its object afterwards.
  return checkOutput(skill, JSON.parse(text) as Json, NOTHING_HIDDEN);
}

const invalid = (reason: string) => new SkillError('OUTPUT_INVALID', { details: { reason } });

/** Nothing of an error that was not meant for callers. */
function explain(error: unknown): ExecutionError {
  if (error instanceof HandlerError) {
    const message = displayText(error.message, MAX_MESSAGE);
    return { code: 'EXECUTION_FAILED', message, details: error.details };
  }
  if (!(error instanceof SkillError) || error.code !== 'OUTPUT_INVALID') return { code: 'EXECUTION_FAILED' };
  return { code: error.code, details: wireViolations(error.details, 'en') as JsonObject };
}
