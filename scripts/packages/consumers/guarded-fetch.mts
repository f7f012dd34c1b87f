import { createGuardedFetch, type GuardedResponse, isFetchError } from '@parley/guarded-fetch';

const fetch = createGuardedFetch({
  allowPrivate: false,
  allowLoopback: false,
  maxBytes: 1_000,
  timeoutMs: 10_000,
  maxRedirects: 0,
});
const reply: GuardedResponse | undefined = await fetch('http://127.0.0.1:1/').catch((error: unknown) => {
  if (isFetchError(error) && error.code === 'FETCH_BLOCKED') return undefined;
  throw error;
});
if (reply !== undefined) throw new Error('this machine was asked');
