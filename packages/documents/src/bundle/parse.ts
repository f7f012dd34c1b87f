import { parseDocument } from '../capability/parse.ts';
import type { ParseResult } from '../json/parse.ts';
import { BUNDLE_LIMITS } from './limits.ts';

const CODES = { tooLarge: 'MANIFEST_TOO_LARGE', tooDeep: 'MANIFEST_TOO_DEEP' };

/** Parses text into a value. */
export const parseBundle = (text: string | Uint8Array): ParseResult => parseDocument(text, BUNDLE_LIMITS, CODES);
