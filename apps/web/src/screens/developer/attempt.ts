/** The errors of attempts that the server names, and what each is called here. */
const ERRORS = {
  TIMEOUT: 'timeout',
  TIMED_OUT: 'timeout',
  NAME_UNKNOWN: 'name',
  TLS: 'tls',
  REFUSED: 'refused',
  HUNG_UP: 'hungUp',
  NO_ROUTE: 'unreachable',
  UNREACHABLE: 'unreachable',
  REDIRECTED: 'redirect',
  REDIRECT_REFUSED: 'redirect',
  ADDRESS_BLOCKED: 'private',
  SECRET_UNREADABLE: 'secret',
  AGENT_INACTIVE: 'inactive',
  MESSAGE_GONE: 'messageGone',
  WEBHOOK_REMOVED: 'removed',
} as const;

const STATUSES = { 401: 'denied', 403: 'denied', 404: 'notFound', 410: 'gone', 429: 'tooMany' } as const;

interface Attempt {
  readonly status: number | null;
  readonly error: string | null;
}

/** Why a delivery was not taken. The words for it, and for what to do, are in the table of texts (WC-60). */
export function classifyAttempt({ status, error }: Attempt) {
  if (status === null) return ERRORS[error as keyof typeof ERRORS] ?? 'unknown';
  const known = STATUSES[status as keyof typeof STATUSES];
  if (known !== undefined) return known;
  if (status >= 500) return 'serverError';
  return status >= 400 ? 'clientError' : 'noSuccess';
}
