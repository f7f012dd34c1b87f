import type { Locale } from '@parley/base';
import type { Json } from '@parley/documents';
import { isJsonType, translateViolation, type Violation } from '@parley/documents/skill';
import { ERRORS, errorText } from '@parley/protocol';
import { SkillError } from '../../skill-error.ts';
import { type Execution, type ExecutionError, isOver } from '../execution.ts';
import { HttpError } from './http-error.ts';

const PRIVATE = { 'cache-control': 'no-store' };

export function answerJson(status: number, body: unknown, headers: Readonly<Record<string, string>> = PRIVATE) {
  const all = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff', ...headers };
  return new Response(JSON.stringify(body), { status, headers: all });
}

/** The response for an error (SI-4). */
export function answerError(error: SkillError, locale: Locale): Response {
  const { code, status, details } = error;
  const { headers = {}, advice } = error instanceof HttpError ? error : {};
  const envelope = {
    ...wireError({ code, message: error.explain(locale), ...unlessEmpty(details) }, locale),
    ...(advice === undefined ? {} : { retry: advice }),
  };
  return answerJson(status ?? ERRORS[code].http[0], { error: envelope }, { ...PRIVATE, ...headers });
}

/** The state of an execution, for callers that poll (SI-1). */
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

/** The result of an execution: its output, or its error as the response itself. */
export function answerResult(execution: Execution, locale: Locale, contentType: string): Response {
  const { output, error } = execution;
  if (!isOver(execution)) return answerState(execution, locale, false, 202);
  if (execution.status === 'cancelled') return answerError(new SkillError('EXECUTION_CANCELLED'), locale);
  if (error !== undefined) {
    const { details, ...rest } = error;
    const envelope = wireError({ ...rest, ...unlessEmpty(details ?? {}) }, locale);
    return answerJson(ERRORS[error.code].http[0], { error: envelope });
  }
  if (!(output instanceof Uint8Array)) return answerState(execution, locale, true);
  // The bytes are copied, because a store's buffer may be larger than they are.
  const headers = { 'content-type': isJsonType(contentType) ? 'application/octet-stream' : contentType };
  return new Response(new Uint8Array(output), {
    headers: { ...headers, ...PRIVATE, 'x-content-type-options': 'nosniff', 'content-disposition': 'attachment' },
  });
}

type WrittenError = Omit<ExecutionError, 'details'> & Pick<Partial<SkillError>, 'details'>;

function wireError({ code, message, details }: WrittenError, locale: Locale) {
  return {
    code,
    message: message ?? errorText(code, locale),
    ...(details === undefined ? {} : { details: wireViolations(details, locale) }),
  };
}

const unlessEmpty = (details: SkillError['details']) => (Object.keys(details).length === 0 ? {} : { details });

/** Returns the fields of SD-5 in one language, and everything else unchanged. */
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
