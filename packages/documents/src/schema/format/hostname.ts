import { keepsBidiRule } from './bidi.ts';
import { isULabel } from './idna.ts';
import { decodePunycode, encodePunycode } from './punycode.ts';

export const MAX_LENGTH = 253;
const MAX_LABEL = 63;
const LDH_LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Tests for RFC 1123, section 2.1; a label that starts with `xn--` must be one of RFC 5891. */
export function isHostname(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const labels = text.split('.');
  return labels.every(isAsciiLabel) && keepsBidiRule(labels.map(toUnicode));
}

/** Tests for RFC 5890, section 2.3.2.3, with the full stops of RFC 3490, section 3.1. */
export function isIdnHostname(text: string): boolean {
  // A label in its own script is never twice as long as its ASCII form.
  if (text.length > 2 * MAX_LENGTH) return false;
  const labels = text.split(/[.\u3002\uff0e\uff61]/);
  let length = labels.length - 1;
  for (const label of labels) {
    const isAscii = !/[^\0-\x7f]/.test(label);
    if (isAscii ? !isAsciiLabel(label) : !isULabel(label)) return false;
    const encoded = isAscii ? label.length : 4 + encodePunycode(label).length;
    if (encoded > MAX_LABEL) return false;
    length += encoded;
  }
  return length <= MAX_LENGTH && keepsBidiRule(labels.map(toUnicode));
}

function toUnicode(label: string): string {
  return /^xn--/i.test(label) ? decodePunycode(label.slice(4).toLowerCase())! : label;
}

function isAsciiLabel(label: string): boolean {
  if (!LDH_LABEL.test(label)) return false;
  if (!/^xn--/i.test(label)) return true;
  const code = label.slice(4).toLowerCase();
  const decoded = decodePunycode(code);
  return decoded !== undefined && encodePunycode(decoded) === code && isULabel(decoded);
}
