import { type ErrorEntry, type Locale, type Params, ParleyError } from '@parley/base';
import { type NetworkFailure, networkText, ERRORS as WIRE_ERRORS } from '@parley/protocol';
import { ERRORS } from '../errors.ts';

interface ApiErrorFields {
  /** 0 if the server was not asked, or did not answer. */
  readonly status: number;
  readonly code: string;
  /** What the server wrote; by default the sentence of the code. */
  readonly message?: string;
  /** As the server sent them: of whatever shape. */
  readonly params?: unknown;
  readonly retryAfterMs?: number;
  readonly network?: NetworkFailure | undefined;
  readonly cause?: unknown;
}

/**
 * A request to the server that failed: with the server's own code (TR-7), with `UNREACHABLE` if it could not be asked, or
 * with `REPLY_INVALID`. Neither it nor its causes hold a secret.
 */
export class ApiError extends ParleyError {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  /** Of `UNREACHABLE`: why, where that is known. */
  readonly network: NetworkFailure | undefined;

  constructor({ status, code, message, params, retryAfterMs, network, cause }: ApiErrorFields) {
    const known = Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined;
    // The sentence of a newer server is a parameter, because whoever shows it has to make it harmless like any other.
    const given = known === undefined ? { text: message ?? code } : readParams(params);
    super(code, known ?? UNKNOWN, { params: given, cause });
    this.name = 'ApiError';
    this.message = message ?? withReason(this.message, network, 'en');
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.network = network;
  }

  override explain(locale: Locale, show?: (value: unknown, name: string) => string): string {
    return withReason(super.explain(locale, show), this.network, locale);
  }
}

function withReason(text: string, network: NetworkFailure | undefined, locale: Locale): string {
  if (network === undefined) return text;
  return `${text}${locale === 'en' ? ' ' : ''}${networkText(network, locale)}`;
}

const MAX_PARAM = 1_000;
const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** Keeps what can be shown in a sentence. An object of a hostile server could not even be turned into text. */
function readParams(params: unknown): Params {
  if (typeof params !== 'object' || params === null) return {};
  const read = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_PARAM) : value);
  const shown = Object.entries(params).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [[name, value.filter(isScalar).slice(0, MAX_PARAM).map(read)]];
    return isScalar(value) ? [[name, read(value)]] : [];
  });
  return Object.fromEntries(shown);
}

const KNOWN: Readonly<Record<string, ErrorEntry>> = { ...ERRORS, ...WIRE_ERRORS };

/** A code of a newer server has no sentence here but the one that the server wrote. */
const UNKNOWN: ErrorEntry = { retry: false, text: { en: '{text}', 'zh-CN': '{text}' } };

export const unreachable = (why: Pick<ApiErrorFields, 'network' | 'cause'>): ApiError =>
  new ApiError({ status: 0, code: 'UNREACHABLE', ...why });

export const invalidReply = (): ApiError => new ApiError({ status: 0, code: 'REPLY_INVALID' });

/** The server, or the way to it, is down for now: the same request will do later, without anyone changing it. */
export function isOutage(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'UNREACHABLE' || (error.status >= 502 && error.status <= 504));
}
