import type { Report } from '../capability/report.ts';
import { isIri } from '../schema/format/uri.ts';
import { addFault, showValue } from './violation.ts';

/** The URL parser that every consumer uses; it rejects more hosts than RFC 3987 does. */
declare const URL: { canParse(text: string): boolean };

/** The consumer replaces it with the id from the provider's answer (SD-2). */
export const PLACEHOLDER = '{execution_id}';

const PARTS = /^(https?):\/\/([^/?#]*)([^#]*)(#.*)?$/i;
const LOOPBACK = /^(?:(?:[^:@]+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

interface UrlParts {
  readonly secure: boolean;
  readonly authority: string;
  readonly fragment: boolean;
}

function readUrl(text: string): UrlParts | undefined {
  const [, scheme, authority, , fragment] = PARTS.exec(text) ?? [];
  if (scheme === undefined || !authority || authority.includes('@') || !isIri(text) || !URL.canParse(text))
    return undefined;
  return { secure: scheme.toLowerCase() === 'https', authority, fragment: fragment !== undefined };
}

/** Checks an address for requests (SD-2): https, or http to this machine during development. */
export function checkUrl(text: string, path: string, development: boolean, report: Report): void {
  const url = readUrl(text);
  const actual = showValue(text);
  if (url === undefined || url.fragment) addFault(report, 'URL_INVALID', path, { expected: 'https URL', actual });
  else if (!url.secure && !(development && LOOPBACK.test(url.authority))) {
    addFault(report, 'URL_NOT_HTTPS', path, { expected: 'https URL', actual });
  }
}

/** Checks an address that a person may follow. */
export function checkLink(text: string, path: string, report: Report): void {
  if (readUrl(text) === undefined) {
    addFault(report, 'LINK_INVALID', path, { expected: 'http or https URL', actual: showValue(text) });
  }
}

export function checkTemplate(text: string, path: string, development: boolean, report: Report): void {
  const authority = PARTS.exec(text)?.[2] ?? '';
  const actual = showValue(text);
  if (/[{}]/.test(authority)) {
    const expected = `${PLACEHOLDER} in path or query`;
    addFault(report, 'TEMPLATE_MISPLACED', path, { expected, actual, placeholder: PLACEHOLDER });
    return;
  }
  const filled = text.replaceAll(PLACEHOLDER, '0');
  if (/[{}]/.test(filled)) {
    addFault(report, 'TEMPLATE_UNKNOWN', path, { expected: PLACEHOLDER, actual, placeholder: PLACEHOLDER });
  }
  checkUrl(filled.replaceAll(/[{}]/g, '0'), path, development, report);
}

/** Returns the address of one execution. Without a placeholder the id is appended (SD-2). */
export function fillTemplate(template: string, executionId: string): string {
  const id = encodeURIComponent(executionId);
  if (template.includes(PLACEHOLDER)) return template.replaceAll(PLACEHOLDER, () => id);
  const [, path, query = ''] = /^([^?]*)(\?.*)?$/s.exec(template)!;
  return `${path!.replace(/\/$/, '')}/${id}${query}`;
}

/**
 * Derives the address for cancelling an execution from its status address: the last step `status` of the path becomes
 * `cancel`; without one, `cancel` is appended. `https://a/status/7` → `https://a/cancel/7`.
 */
export function toCancelUrl(statusUrl: string): string {
  const [, path, query = ''] = /^([^?]*)(\?.*)?$/s.exec(statusUrl)!;
  const steps = path!.split('/');
  const at = steps.lastIndexOf('status');
  if (at > 2) steps[at] = 'cancel';
  else steps.push('cancel');
  return `${steps.join('/')}${query}`;
}
