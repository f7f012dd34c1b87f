import { displayText, isJsonObject, type Json, type JsonObject, parseJson } from '@parley/documents';
import { isJsonType } from '@parley/documents/skill';
import type { GuardedResponse } from '@parley/guarded-fetch';
import { SkillError, type SkillErrorCode } from '../skill-error.ts';
import type { Redactor } from './redact.ts';

const MAX_TEXT = 500;
const MAX_DELAY_MS = 3_600_000;
const MAX_ATTEMPTS = 10;

export function header(response: GuardedResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Parses the body strictly as JSON; returns undefined if it is something else. */
export function readJson(response: GuardedResponse): Json | undefined {
  if (response.truncated || !isJsonType(header(response, 'content-type') ?? '')) return undefined;
  const parsed = parseJson(response.body);
  return parsed.ok ? parsed.value : undefined;
}

/** When a request may be repeated, according to its answer (SI-3, SI-4). */
export interface RetryAdvice {
  readonly delayMs?: number;
  readonly maxAttempts?: number;
}

/** Reads `Retry-After` and the error's own `retry`, and takes the longer of the two. */
export function readAdvice(response: GuardedResponse, body: Json | undefined, now: number): RetryAdvice {
  const error = isJsonObject(body) && isJsonObject(body.error) ? body.error : body;
  const retry = isJsonObject(error) && isJsonObject(error.retry) ? error.retry : {};
  const delays = [parseRetryAfter(header(response, 'retry-after'), now), retry.suggested_delay_ms].filter(
    (delay): delay is number => typeof delay === 'number' && Number.isFinite(delay) && delay >= 0,
  );
  const attempts = retry.max_attempts;
  return {
    ...(delays.length === 0 ? {} : { delayMs: Math.min(Math.max(...delays), MAX_DELAY_MS) }),
    ...(Number.isInteger(attempts) && (attempts as number) >= 1
      ? { maxAttempts: Math.min(attempts as number, MAX_ATTEMPTS) }
      : {}),
  };
}

/** Parses seconds or a date (RFC 9110, section 10.2.3). */
function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const BY_STATUS: Readonly<Record<number, SkillErrorCode>> = {
  400: 'VALIDATION_ERROR',
  401: 'AUTH_REQUIRED',
  403: 'PERMISSION_DENIED',
  404: 'SKILL_NOT_FOUND',
  408: 'EXECUTION_TIMEOUT',
  409: 'EXECUTION_CANCELLED',
  410: 'SKILL_NOT_FOUND',
  422: 'VALIDATION_ERROR',
  429: 'RATE_LIMITED',
  502: 'ENDPOINT_UNREACHABLE',
  503: 'ENDPOINT_UNREACHABLE',
  504: 'EXECUTION_TIMEOUT',
};

/** Codes that only this side can know. */
const OURS: ReadonlySet<string> = new Set(['ADDRESS_BLOCKED']);
const THEIRS: ReadonlySet<string> = new Set([
  ...Object.values(BY_STATUS),
  'EXECUTION_FAILED',
  'OUTPUT_INVALID',
  'VERSION_INCOMPATIBLE',
]);

/**
 * Turns an error answer or a failed execution into our error. The provider's own text is kept apart and made harmless.
 */
export function toSkillError(
  { status, body }: { status: number; body: Json | undefined },
  redact: Redactor,
  advice: RetryAdvice = {},
): SkillError {
  const error = isJsonObject(body) && isJsonObject(body.error) ? body.error : {};
  const named = typeof error.code === 'string' && THEIRS.has(error.code) && !OURS.has(error.code);
  const code = named ? (error.code as SkillErrorCode) : (BY_STATUS[status] ?? 'EXECUTION_FAILED');
  const details: Record<string, unknown> = {};
  if (typeof error.code === 'string') details.provider_code = displayText(redact.text(error.code), 100);
  if (typeof error.message === 'string') details.provider_message = displayText(redact.text(error.message), MAX_TEXT);
  const violations = isJsonObject(error.details) ? error.details.violations : undefined;
  if (Array.isArray(violations)) details.violations = redact.json(violations.slice(0, 100));
  if (advice.delayMs !== undefined) details.retry_after_ms = advice.delayMs;
  return new SkillError(code, { params: paramsOf(code, details, error), details, status });
}

function paramsOf(code: SkillErrorCode, details: Readonly<Record<string, unknown>>, error: JsonObject) {
  if (code === 'VALIDATION_ERROR') {
    return { violation_count: Array.isArray(details.violations) ? details.violations.length : 1 };
  }
  if (code === 'RATE_LIMITED') {
    const delay = typeof details.retry_after_ms === 'number' ? details.retry_after_ms : 1_000;
    return { retry_after_seconds: Math.ceil(delay / 1_000) };
  }
  if (code !== 'VERSION_INCOMPATIBLE') return {};
  const told = isJsonObject(error.details) ? error.details : {};
  const show = (value: unknown) => displayText(String(value ?? '?'), 50);
  return {
    descriptor_version: show(told.descriptor_version),
    consumer_supported_range: show(told.consumer_supported_range),
  };
}
