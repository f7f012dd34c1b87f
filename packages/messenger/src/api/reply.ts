import { isValid, type RouteContract, type WireError } from '@parley/protocol';
import { ERRORS } from '../errors.ts';
import { ApiError, invalidReply } from './api-error.ts';

/** A poll with a hundred large messages stays below. */
const MAX_REPLY = 64 * 1024 * 1024;
const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;
/** Where a proxy refuses a request and does not say for how long. */
const DEFAULT_WAIT_MS = 60_000;
const CODE = /^[A-Z_]{1,64}$/;

/** The body of success, as its contract promises it; everything else is thrown. */
export async function readReply(contract: RouteContract, response: Response): Promise<unknown> {
  const text = await readText(response);
  const value = parse(text);
  if (!response.ok) throw toError(response, value);
  if (response.status !== contract.status || !isValid(contract.reply, value)) throw invalidReply();
  return value;
}

async function readText(response: Response): Promise<string> {
  if (Number(response.headers.get('content-length') ?? 0) > MAX_REPLY) throw invalidReply();
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > MAX_REPLY) {
      await reader.cancel();
      throw invalidReply();
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parse(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A code that this side gives to what it finds out itself is never taken from a server. */
export function isWireCode(code: unknown): code is string {
  return typeof code === 'string' && CODE.test(code) && !Object.hasOwn(ERRORS, code);
}

/** A proxy in between may answer in its own words; then the status has to do. */
export function toError({ status, headers }: Response, value: unknown): ApiError {
  const { error } = (value ?? {}) as { error?: Partial<WireError['error']> };
  const isWire = isWireCode(error?.code) && typeof error?.message === 'string';
  const wait = retryAfter(headers.get('retry-after'));
  return new ApiError({
    status,
    code: isWire ? error!.code! : codeOfStatus(status),
    message: isWire ? error!.message!.slice(0, 1_000) : `The server answered with status ${status}.`,
    params: isWire ? error!.params : { retry_after_seconds: Math.ceil((wait ?? DEFAULT_WAIT_MS) / 1_000) },
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

function codeOfStatus(status: number): string {
  if (status === 401) return 'UNAUTHENTICATED';
  if (status === 404) return 'NOT_FOUND';
  if (status === 429) return 'RATE_LIMITED';
  return status >= 500 ? 'UNAVAILABLE' : 'BAD_REQUEST';
}

export function retryAfter(seconds: unknown): number | undefined {
  const value = typeof seconds === 'string' || typeof seconds === 'number' ? Number(seconds) : Number.NaN;
  return seconds !== '' && value >= 0 ? Math.min(value * 1_000, MAX_WAIT_MS) : undefined;
}
