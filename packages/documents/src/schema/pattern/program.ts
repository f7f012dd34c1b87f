import { RE2JS } from 're2js';

/** A program as `re2js` compiles it. The numbers below are those of its version 2. */
export interface Program {
  readonly start: number;
  readonly inst: readonly Instruction[];
}

export interface Instruction {
  readonly op: number;
  readonly out: number;
  /** The other branch of a fork, the flag of an assertion, or 1 for a character in either case. */
  readonly arg: number;
  /** Pairs of first and last code point, or one code point. */
  readonly runes: ArrayLike<number>;
  matchRune(point: number): boolean;
}

export const Op = {
  fork: 1,
  forkMatch: 2,
  capture: 3,
  assert: 4,
  fail: 5,
  match: 6,
  jump: 7,
  /** This and all later ones read one character. */
  read: 8,
  readLast: 11,
} as const;

/** What an assertion requires between two characters. */
export const Flag = {
  beginLine: 1,
  endLine: 2,
  beginText: 4,
  endText: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const;

export const NEWLINE = 10;
export const WORD: ArrayLike<number> = [48, 57, 65, 90, 95, 95, 97, 122];
const IGNORE_CASE = 1;

export function isWord(point: number): boolean {
  return (point >= 97 && point <= 122) || (point >= 65 && point <= 90) || (point >= 48 && point <= 57) || point === 95;
}

export function isUnderstood(program: Program): boolean {
  return program.inst.every(({ op, runes }) => op >= Op.fork && op <= Op.readLast && isAscending(runes));
}

function isAscending(runes: ArrayLike<number>): boolean {
  for (let i = 1; i < runes.length; i += 1) if (runes[i - 1]! > runes[i]!) return false;
  return true;
}

/** The code points that an instruction reads, as pairs. */
export function rangesOf({ arg, runes }: Instruction): ArrayLike<number> {
  if (runes.length !== 1) return runes;
  return arg === IGNORE_CASE ? foldCase(runes[0]!) : [runes[0]!, runes[0]!];
}

/** RE2 does not export its case tables, but it expands the cases if a class has other characters too: here a NUL. */
function foldCase(point: number): ArrayLike<number> {
  const { inst } = RE2JS.compile(`(?i)[\\x00\\x{${point.toString(16)}}]`).re2().prog as Program;
  return Array.from(inst.find(({ op }) => op >= Op.read)!.runes).slice(2);
}
