import type { Locale } from '@parley/base';
import type { Json } from '@parley/documents';
import { isJsonType, translateViolation, type Violation } from '@parley/documents/skill';
import { ERRORS, errorText } from '@parley/protocol';
import type { SkillError, SkillErrorCode } from '../../error.ts';
import { type Execution, type ExecutionError, isOver } from '../execution.ts';

/** A refusal with what only HTTP needs. */
export interface Refusal {
  readonly error: Pick<SkillError, 'code' | 'params' | 'details'> & { readonly message?: string };
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: { readonly suggested_delay_ms: number; readonly max_attempts: number };
}

const PRIVATE = { 'cache-control': 'no-store' };

export function answerJson(status: number, body: unknown, headers: Readonly<Record<string, string>> = PRIVATE) {
  const all = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff', ...headers };
  return new Response(JSON.stringify(body), { status, headers: all });
}

/** SI-4. */
export function answerError({ error, status, headers, retry }: Refusal, locale: Locale): Response {
  const { code, params, details } = error;
  const envelope = {
    code,
    message: error.message ?? errorText(code, locale, params),
    ...(Object.keys(details).length === 0 ? {} : { details: wireViolations(details, locale) }),
    ...(retry === undefined ? {} : { retry }),
  };
  return answerJson(status ?? ERRORS[code].http[0], { error: envelope }, { ...PRIVATE, ...headers });
}

/** How an execution is: to whoever polls (SI-1). */
export function answerState(execution: Execution, locale: Locale, withOutput: boolean, status = 200): Response {
  const { id, progress, message, error, output } = execution;
  return answerJson(status, {
    execution_id: id,
    status: execution.status,
    ...(progress === undefined ? {} : { progress }),
    ...(message === undefined ? {} : { message }),
    ...(error === undefined ? {} : { error: wireError(error, locale) }),
    ...(withOutput && execution.status === 'completed' ? { output } : {}),
  });
}

/** What came of it: the output, or the error as the answer itself. */
export function answerResult(execution: Execution, locale: Locale, contentType: string): Response {
  const { output, error } = execution;
  if (!isOver(execution)) return answerState(execution, locale, false, 202);
  if (execution.status === 'cancelled') return answerError({ error: plain('EXECUTION_CANCELLED') }, locale);
  if (error !== undefined) {
    const { code, message, details = {} } = error;
    return answerError({ error: { code, params: {}, details, ...(message === undefined ? {} : { message }) } }, locale);
  }
  if (!(output instanceof Uint8Array)) return answerState(execution, locale, true);
  // A copy: what a store hands out need not be a buffer of its own.
  const headers = { 'content-type': isJsonType(contentType) ? 'application/octet-stream' : contentType };
  return new Response(new Uint8Array(output), {
    headers: { ...headers, ...PRIVATE, 'x-content-type-options': 'nosniff', 'content-disposition': 'attachment' },
  });
}

const plain = (code: SkillErrorCode) => ({ code, params: {}, details: {} });

function wireError({ code, message, details }: ExecutionError, locale: Locale) {
  return {
    code,
    message: message ?? errorText(code, locale),
    ...(details === undefined ? {} : { details: wireViolations(details, locale) }),
  };
}

/** The fields of SD-5, in one language; everything else as it is. */
export function wireViolations(details: Readonly<Record<string, unknown>>, locale: Locale): Record<string, unknown> {
  const { violations, ...rest } = details;
  if (!Array.isArray(violations)) return rest;
  const wired = (violations as Violation[]).slice(0, 100).map((violation) => {
    const told = violation.params === undefined ? violation : translateViolation(violation, locale);
    const { code, field, expected, actual, message } = told;
    return { code, field, expected, actual, message } as Record<string, Json>;
  });
  return { ...rest, violations: wired };
}
