import { RE2JS } from 're2js';
import type { Program } from './pattern/program.ts';
import { translatePattern } from './pattern/translate.ts';

/**
 * A pattern of RE2 syntax (CM-7), searched for anywhere in a string, in linear time. Two patterns are equal when their
 * sources are; the same source may give several objects.
 */
export interface Pattern {
  readonly source: string;
  /** Steps that testing takes for each character of text, at most; also a measure of the memory the pattern holds. */
  readonly cost: number;
  test(text: string): boolean;
  /** The compiled form, as RE2 has it. */
  readonly program: Program;
}

const MAX_LENGTH = 2000;
const MAX_COST = 10_000;
/** Bytes for the states RE2 caches per pattern. Its own bound is 8 MB, and a schema may have thousands of patterns. */
const MAX_CACHE = 1 << 17;

/** Undefined where `source` is not RE2 syntax, or too large. */
export function compilePattern(source: string): Pattern | undefined {
  if (source.length > MAX_LENGTH) return undefined;
  const translation = translatePattern(source);
  // Before compiling: `(a{1000}){1000}` would be a million instructions.
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

/** The group keeps it from building a one-pass matcher, which is four times slower than its automaton. */
function compileRe2(text: string) {
  try {
    return RE2JS.compile(`(${text})`).re2();
  } catch {
    return undefined;
  }
}
