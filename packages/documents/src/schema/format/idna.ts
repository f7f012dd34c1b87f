/** Allowed as exceptions to the general rule (RFC 5892, section 2.6). */
const EXCEPTIONALLY_ALLOWED = /[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]/;
/**
 * Refused as exceptions to the general rule, including old Hangul Jamo and symbol blocks (RFC 5892, sections 2.6 to
 * 2.9).
 */
const EXCEPTIONALLY_REFUSED =
  /[\u20d0-\u20ff\u302e\u302f\u0640\u07fa\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\u{1d100}-\u{1d24f}]/u;
/** Matches letters, digits and marks (RFC 5892, section 2.1). */
const LETTER_OR_DIGIT = /^[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]$/u;
/** Matches characters that case folding and compatibility normalisation change (RFC 5892, section 2.2). */
const UNSTABLE = /\p{Changes_When_NFKC_Casefolded}/u;

/**
 * Tests for a label in its own script that may be registered (RFC 5891, section 4.2). It does not check the length, nor
 * the bidi rule, which needs all labels.
 */
export function isULabel(label: string): boolean {
  if (label.normalize('NFC') !== label) return false;
  if (label.startsWith('-') || label.endsWith('-') || label.slice(2, 4) === '--') return false;
  if (/^\p{M}/u.test(label)) return false;
  const letters = [...label];
  return letters.every((letter, index) => {
    const rule = CONTEXTUAL[letter];
    return rule === undefined ? isAllowed(letter) : rule(letters, index);
  });
}

function isAllowed(letter: string): boolean {
  if (/[a-z0-9-]/.test(letter) || EXCEPTIONALLY_ALLOWED.test(letter)) return true;
  return LETTER_OR_DIGIT.test(letter) && !UNSTABLE.test(letter) && !EXCEPTIONALLY_REFUSED.test(letter);
}

type Rule = (letters: readonly string[], index: number) => boolean;

/** These characters are allowed only beside those that give them meaning (RFC 5892, appendix A). */
const CONTEXTUAL: Readonly<Record<string, Rule>> = {
  // This is the zero width non-joiner, followed by the joiner.
  '\u200c': (letters, index) => isVirama(letters[index - 1]) || breaksJoin(letters, index),
  '\u200d': (letters, index) => isVirama(letters[index - 1]),
  // This is the middle dot, as in Catalan.
  '\u00b7': (letters, index) => letters[index - 1] === 'l' && letters[index + 1] === 'l',
  // This is the Greek keraia.
  '\u0375': (letters, index) => /\p{Script=Greek}/u.test(letters[index + 1] ?? ''),
  // These are the Hebrew geresh and gershayim.
  '\u05f3': (letters, index) => /\p{Script=Hebrew}/u.test(letters[index - 1] ?? ''),
  '\u05f4': (letters, index) => /\p{Script=Hebrew}/u.test(letters[index - 1] ?? ''),
  // This is the Katakana middle dot.
  '\u30fb': (letters) =>
    letters.some((letter) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(letter)),
  ...forEachDigit('\u0660', /[\u06f0-\u06f9]/),
  ...forEachDigit('\u06f0', /[\u0660-\u0669]/),
};

/** The two sets of Arabic digits must not mix: some of them look alike. */
function forEachDigit(zero: string, others: RegExp): Record<string, Rule> {
  const rule: Rule = (letters) => !letters.some((letter) => others.test(letter));
  const digits = Array.from({ length: 10 }, (_, digit) => String.fromCharCode(zero.charCodeAt(0) + digit));
  return Object.fromEntries(digits.map((digit) => [digit, rule]));
}

/** Canonical combining class 9, which the platform's patterns do not know. */
const VIRAMA =
  /^[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}]$/u;

const isVirama = (letter: string | undefined) => letter !== undefined && VIRAMA.test(letter);

/**
 * The platform does not know joining types either: only Arabic letters are covered, where Persian needs the non-joiner.
 */
const ARABIC_LETTER = /^(?=\p{Script=Arabic})\p{Lo}$/u;
const JOINS_NOT_FORWARD =
  /[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef]/;

function breaksJoin(letters: readonly string[], index: number): boolean {
  const isLetter = (letter: string) => !/\p{Mn}/u.test(letter);
  const before = letters.slice(0, index).findLast(isLetter) ?? '';
  const after = letters.slice(index + 1).find(isLetter) ?? '';
  return (
    ARABIC_LETTER.test(before) && !JOINS_NOT_FORWARD.test(before) && ARABIC_LETTER.test(after) && after !== '\u0621'
  );
}
