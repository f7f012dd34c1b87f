/**
 * Letters that are written from right to left: what stands beside them would change its place. JavaScript
 * knows no Bidi_Class, so these are the ranges that Unicode keeps for them, by default R and AL (DerivedBidiClass.txt).
 */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Keeps a name inside a sentence from reordering the words around it (UAX #9): FIRST STRONG ISOLATE … POP. */
export function isolate(value: string): string {
  return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}

/** For a sentence that leaves the page: what it is sent with should be seen by whoever sends it. */
export const withoutIsolates = (sentence: string): string => sentence.replaceAll(/[\u2068\u2069]/g, '');
