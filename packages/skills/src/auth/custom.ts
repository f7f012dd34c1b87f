import type { AuthParameter } from '@parley/documents/skill';

export interface PlacedParameters {
  readonly headers: Readonly<Record<string, string>>;
  /** Required parameters without a value. */
  readonly missing: readonly string[];
  /** Required parameters that belong in the URL, where no credential may be sent (SI-2). */
  readonly inUrl: readonly string[];
}

/**
 * Matches what a cookie cannot hold (RFC 6265, `cookie-octet`), above all the semicolon that would begin another
 * cookie.
 */
const NOT_IN_COOKIE = /[^\u0021\u0023-\u002b\u002d-\u003a\u003c-\u005b\u005d-\u007e]/g;

/** Fills the list form of `auth.custom.parameters` (SD-3) with the stored values. */
export function placeParameters(
  parameters: readonly AuthParameter[],
  values: Readonly<Record<string, string>>,
): PlacedParameters {
  const headers: Record<string, string> = {};
  const [cookies, missing, inUrl]: [string[], string[], string[]] = [[], [], []];
  for (const { name, in: place, required = false } of parameters) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (place === 'query') {
      if (required) inUrl.push(name);
    } else if (value === undefined) {
      if (required) missing.push(name);
    } else if (place === 'cookie') cookies.push(`${name}=${value.replaceAll(NOT_IN_COOKIE, encodeURIComponent)}`);
    else headers[name.toLowerCase()] = value;
  }
  if (cookies.length > 0) headers.cookie = [headers.cookie, ...cookies].filter(Boolean).join('; ');
  return { headers, missing, inUrl };
}
