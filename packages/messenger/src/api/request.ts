import { LINES_TYPE, type RouteContract } from '@parley/protocol';
import type { CallInput } from './api.ts';

/** A parameter stays one segment of the path, whatever is in it. */
function encodeSegment(name: string, value: unknown): string {
  const text = String(value ?? '');
  if (text === '' || text === '.' || text === '..') throw new TypeError(`params.${name} cannot be part of a path`);
  return encodeURIComponent(text);
}

export function addressOfCall(baseUrl: string, contract: RouteContract, input: CallInput<RouteContract>): string {
  const params = (input.params ?? {}) as Record<string, unknown>;
  const path = contract.path.replace(/:(\w+)/g, (_, name: string) => encodeSegment(name, params[name]));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const search = query.toString();
  return `${baseUrl}${path}${search === '' ? '' : `?${search}`}`;
}

export function requestOf(
  contract: RouteContract,
  input: CallInput<RouteContract>,
  { token, signal }: { readonly token: string | undefined; readonly signal: AbortSignal },
): RequestInit {
  const { body, onEvent } = input;
  return {
    method: contract.method,
    headers: {
      accept: onEvent === undefined ? 'application/json' : `${LINES_TYPE}, application/json`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...input.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // A redirect would carry the token, or what is asked, elsewhere. `error` is not known everywhere: workerd throws.
    redirect: 'manual',
    signal,
  };
}

/** Browsers do not show the status of a redirect that is not followed. */
export function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status <= 399);
}
