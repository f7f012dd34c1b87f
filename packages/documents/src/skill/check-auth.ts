import type { Report } from '../capability/report.ts';
import { get, isObject, type JsonObject } from '../json/value.ts';
import { checkUrl } from './url.ts';
import { addFault, showValue } from './violation.ts';

const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Headers that control the request itself, or that a consumer sets on its own. */
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

/** The field of `auth` that each type needs. */
const OWN_FIELD: Readonly<Record<string, string>> = { api_key: 'header', oauth2: 'oauth2', custom: 'custom' };

/** Checks the authentication (SD-3, SD-4). */
export function checkAuth(descriptor: JsonObject, development: boolean, report: Report): void {
  const auth = get(descriptor, 'auth');
  if (!isObject(auth)) return;
  const type = get(auth, 'type');
  if (typeof type !== 'string') return;
  checkOwnField(auth, type, report);
  checkHeader(get(auth, 'header'), '/auth/header', report);
  checkParameters(get(auth, 'custom'), report);
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

function checkHeader(header: unknown, path: string, report: Report): void {
  if (typeof header !== 'string' || header === '') return;
  const actual = showValue(header);
  if (!TOKEN.test(header)) addFault(report, 'HEADER_INVALID', path, { expected: 'header name', actual });
  else if (RESERVED.has(header.toLowerCase())) {
    addFault(report, 'HEADER_RESERVED', path, { expected: 'header name of its own', actual });
  }
}

/** Checks the list form of `auth.custom.parameters`; nothing is known about the other form, which is an object. */
function checkParameters(custom: unknown, report: Report): void {
  const parameters = isObject(custom) ? get(custom, 'parameters') : undefined;
  if (!Array.isArray(parameters)) return;
  const seen = new Map<string, string>();
  for (const [index, parameter] of parameters.entries()) {
    if (!isObject(parameter)) continue;
    const path = `/auth/custom/parameters/${index}`;
    const [name, place] = [get(parameter, 'name'), get(parameter, 'in')];
    if (place === 'query') {
      addFault(report, 'AUTH_PARAMETER_IN_URL', `${path}/in`, { expected: '"header" | "cookie"', actual: '"query"' });
    }
    if (typeof name !== 'string' || name === '') continue;
    if (place === 'header') checkHeader(name, `${path}/name`, report);
    else if (place === 'cookie' && !TOKEN.test(name)) {
      addFault(report, 'COOKIE_INVALID', `${path}/name`, { expected: 'cookie name', actual: showValue(name) });
    }
    // A value is stored by its name alone, and HTTP headers ignore case.
    const key = name.toLowerCase();
    const first = seen.get(key);
    if (first === undefined) seen.set(key, `${path}/name`);
    else {
      const actual = showValue(name);
      addFault(report, 'AUTH_PARAMETER_DUPLICATE', `${path}/name`, { expected: 'unique name', actual, first });
    }
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
