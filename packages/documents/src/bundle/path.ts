import { utf8ToBytes } from '@noble/hashes/utils.js';

const MAX_LENGTH = 1_024;
/** Matches controls, format characters (including bidi), separators, private use and lone surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;
/** Matches `%2e`, `%2F`, `%5c` and NUL, encoded once or more often. */
const ENCODED = /%(?:25)*(?:2e|2f|5c|00)/i;
/** Windows opens a device for these, whatever the extension. The digits may be superscripts. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

export type PathProblem =
  | 'empty'
  | 'too_long'
  | 'control_character'
  | 'backslash'
  | 'absolute'
  | 'drive'
  | 'traversal'
  | 'encoded'
  | 'trailing'
  | 'reserved';

/**
 * Explains why a relative path, with `/` between its parts, might leave its folder or be another file elsewhere (BV-4).
 */
export function findPathProblem(path: string): PathProblem | undefined {
  if (path === '') return 'empty';
  if (path.length > MAX_LENGTH) return 'too_long';
  if (hasHidden(path)) return 'control_character';
  if (path.includes('\\')) return 'backslash';
  if (path.startsWith('/') || path.startsWith('~')) return 'absolute';
  // A colon means a drive, a scheme, or an alternate data stream.
  if (path.includes(':')) return 'drive';
  if (ENCODED.test(path)) return 'encoded';
  for (const part of path.split('/')) {
    if (part === '..') return 'traversal';
    if (part === '.') continue;
    if (/[. ]$/.test(part)) return 'trailing';
    if (DEVICE.test(part)) return 'reserved';
  }
  return undefined;
}

const MAX_NAME_BYTES = 200;
/** Windows allows none of these in a name. */
const FORBIDDEN = /[<>"|?*]/;

/** Is it the only spelling of a file's path, and does it mean the same below the workspace on every system? */
export function isSafePath(path: string): boolean {
  if (findPathProblem(path) !== undefined || FORBIDDEN.test(path)) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && utf8ToBytes(name).length <= MAX_NAME_BYTES);
}

export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/** Two paths with the same key are one file on a system that ignores case or normalises names. */
export function foldPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.join('/').normalize('NFKD').toUpperCase().toLowerCase().normalize('NFC');
}
