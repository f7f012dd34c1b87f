import type { Report } from '../capability/report.ts';
import { get, isObject, type JsonObject } from '../json/value.ts';
import { checkUrl } from './url.ts';
import { addFault, showValue } from './violation.ts';

const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Headers that steer the request itself, or that a consumer sets on its own. */
const RESERVED = new Set([
  'accept',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Which field of `auth` each type needs. */
const OWN_FIELD: Readonly<Record<string, string>> = { api_key: 'header', oauth2: 'oauth2', custom: 'custom' };

/** SD-3, SD-4. */
export function checkAuth(descriptor: JsonObject, development: boolean, report: Report): void {
  const auth = get(descriptor, 'auth');
  if (!isObject(auth)) return;
  const type = get(auth, 'type');
  if (typeof type !== 'string') return;
  checkOwnField(auth, type, report);
  checkHeader(get(auth, 'header'), report);
  const oauth2 = get(auth, 'oauth2');
  if (isObject(oauth2)) {
    for (const field of ['authorization_url', 'token_url']) {
      const url = get(oauth2, field);
      if (typeof url === 'string') checkUrl(url, `/auth/oauth2/${field}`, development, report);
    }
  }
  checkAccess(get(descriptor, 'access'), type, report);
}

function checkOwnField(auth: JsonObject, type: string, report: Report): void {
  const own = Object.hasOwn(OWN_FIELD, type) ? OWN_FIELD[type] : undefined;
  if (own !== undefined && get(auth, own) === undefined) {
    const expected = own === 'header' ? 'string' : 'object';
    addFault(report, 'FIELD_MISSING', `/auth/${own}`, { expected, actual: 'missing', field: own });
  }
  for (const field of Object.values(OWN_FIELD)) {
    if (field === own || get(auth, field) === undefined) continue;
    addFault(report, 'AUTH_FIELD_UNUSED', `/auth/${field}`, { expected: 'missing', actual: 'present', field, type });
  }
}

function checkHeader(header: unknown, report: Report): void {
  if (typeof header !== 'string' || header === '') return;
  const actual = showValue(header);
  if (!TOKEN.test(header)) addFault(report, 'HEADER_INVALID', '/auth/header', { expected: 'header name', actual });
  else if (RESERVED.has(header.toLowerCase())) {
    addFault(report, 'HEADER_RESERVED', '/auth/header', { expected: 'header name of its own', actual });
  }
}

function checkAccess(access: unknown, type: string, report: Report): void {
  const limited = access === 'restricted' || access === 'private';
  if (limited && type === 'none') {
    const expected = '"api_key" | "oauth2" | "custom"';
    addFault(report, 'ACCESS_WITHOUT_AUTH', '/auth/type', { expected, actual: '"none"' });
  } else if (access === 'public' && Object.hasOwn(OWN_FIELD, type)) {
    addFault(report, 'ACCESS_PUBLIC_WITH_AUTH', '/access', {
      expected: '"restricted" | "private"',
      actual: '"public"',
    });
  }
}
