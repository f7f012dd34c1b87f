import type { Finding } from './finding.ts';
import { Report, shorten } from './report.ts';
import { JsonSyntaxError, QUOTE, skipNumber, skipSpace, skipString, skipWord, startsNumber } from './token.ts';

const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LONE_SURROGATE = /[\ud800-\udfff]/u;

interface Reading {
  readonly text: string;
  readonly report: Report;
  /** The path of the value being read. */
  readonly steps: (string | number)[];
  /** The keys seen in each open container; undefined for an array. */
  readonly keys: (Set<string> | undefined)[];
}

/** Finds every fault of a JSON text, up to the first after which its structure is unknown. */
export function scan(text: string, start: number, maxDepth: number): Finding[] {
  const reading: Reading = { text, report: new Report(text), steps: [], keys: [] };
  try {
    readDocument(reading, start, maxDepth);
  } catch (fault) {
    if (!(fault instanceof JsonSyntaxError)) throw fault;
    reading.report.addSyntax(fault);
  }
  return reading.report.findings;
}

/** It is a loop, not a recursion: a caller's `maxDepth` may be more than the stack holds. */
function readDocument(reading: Reading, start: number, maxDepth: number): void {
  const { text, report, steps, keys } = reading;
  let at = skipSpace(text, start);
  while (!report.full) {
    const code = text.charCodeAt(at);
    if (code !== OPEN_BRACE && code !== OPEN_BRACKET) {
      at = advance(reading, readScalar(reading, at, code));
    } else {
      if (keys.length >= maxDepth) {
        report.add('JSON_TOO_DEEP', steps, at, { max: maxDepth });
        return;
      }
      const isObject = code === OPEN_BRACE;
      at = skipSpace(text, at + 1);
      keys.push(isObject ? new Set() : undefined);
      steps.push(0);
      if (text.charCodeAt(at) === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) at = advance(reading, at);
      else if (isObject) at = readKey(reading, at);
    }
    if (keys.length === 0) {
      if (at < text.length) throw new JsonSyntaxError(at, 'end');
      return;
    }
  }
}

/** Moves from the end of a value to the start of the next, or to the end of the document. */
function advance(reading: Reading, at: number): number {
  const { text, steps, keys } = reading;
  for (;;) {
    at = skipSpace(text, at);
    if (keys.length === 0) return at;
    const seen = keys[keys.length - 1];
    const code = text.charCodeAt(at);
    if (code === COMMA) {
      at = skipSpace(text, at + 1);
      if (seen) return readKey(reading, at);
      steps.push(Number(steps.pop()) + 1);
      return at;
    }
    if (code !== (seen ? CLOSE_BRACE : CLOSE_BRACKET)) {
      throw new JsonSyntaxError(at, seen ? 'comma_or_brace' : 'comma_or_bracket');
    }
    keys.pop();
    steps.pop();
    at++;
  }
}

/** Moves from a key to the start of its value. */
function readKey(reading: Reading, at: number): number {
  const { text, report, steps, keys } = reading;
  if (text.charCodeAt(at) !== QUOTE) throw new JsonSyntaxError(at, 'key');
  const end = skipString(text, at);
  const key = end > 0 ? text.slice(at + 1, end - 1) : decodeString(text, at, -end);
  steps.pop();
  if (end < 0 && isIllFormed(text, at, -end)) report.add('JSON_LONE_SURROGATE', steps, at, { in: 'key' });
  steps.push(key);
  const seen = keys[keys.length - 1]!;
  if (seen.has(key)) report.add('JSON_DUPLICATE_KEY', steps, at, { key: shorten(key) });
  seen.add(key);

  const colon = skipSpace(text, Math.abs(end));
  if (text.charCodeAt(colon) !== COLON) throw new JsonSyntaxError(colon, 'colon');
  return skipSpace(text, colon + 1);
}

function readScalar({ text, report, steps }: Reading, at: number, code: number): number {
  if (code === QUOTE) {
    const end = skipString(text, at);
    if (end < 0 && isIllFormed(text, at, -end)) report.add('JSON_LONE_SURROGATE', steps, at, { in: 'value' });
    return Math.abs(end);
  }
  if (!startsNumber(code)) return skipWord(text, at);
  const end = skipNumber(text, at);
  if (!Number.isFinite(Number(text.slice(at, end)))) report.add('JSON_NUMBER_OUT_OF_RANGE', steps, at);
  return end;
}

function decodeString(text: string, at: number, end: number): string {
  return JSON.parse(text.slice(at, end));
}

/** Both the text and its unescaped form must be well-formed Unicode. */
function isIllFormed(text: string, at: number, end: number): boolean {
  return LONE_SURROGATE.test(text.slice(at, end)) || LONE_SURROGATE.test(decodeString(text, at, end));
}
