import { RE2JS } from 're2js';
import type { Program } from './pattern/program.ts';
import { translatePattern } from './pattern/translate.ts';

/**
 * A pattern of RE2 syntax (CM-7), searched for anywhere in a string, in linear time. Two patterns are equal when their
 * sources are; the same source may give several objects.
 */
export interface Pattern {
  readonly source: string;
  /** The most steps that a test takes per character of text; also a measure of the pattern's memory. */
  readonly cost: number;
  test(text: string): boolean;
  /** The compiled form of RE2. */
  readonly program: Program;
}

const MAX_LENGTH = 2000;
const MAX_COST = 10_000;
/**
 * The most bytes of states that RE2 caches per pattern. Its own limit is 8 MB, and a schema may have thousands of
 * patterns.
 */
const MAX_CACHE = 1 << 17;

/** Returns undefined if `source` is not RE2 syntax, or too large. */
export function compilePattern(source: string): Pattern | undefined {
  if (source.length > MAX_LENGTH) return undefined;
  const translation = translatePattern(source);
  // Checked before compiling: `(a{1000}){1000}` would be a million instructions.
  if (translation === undefined || !(translation.weight <= MAX_COST)) return undefined;
  const engine = compileRe2(translation.text);
  if (engine === undefined) return undefined;
  engine.dfa.stateBudget = MAX_CACHE;
  engine.dfa.memBudget = MAX_CACHE;
  return {
    source,
    cost: Math.ceil(translation.weight),
    program: engine.prog,
    test: (text) => engine.match(text),
  };
}

/** The group prevents a one-pass matcher, which is four times slower than RE2's automaton. */
function compileRe2(text: string) {
  try {
    return RE2JS.compile(`(${text})`).re2();
  } catch {
    return undefined;
  }
}
