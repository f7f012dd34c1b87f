/** The bidirectional classes that the rule needs; right-to-left letters (R and AL) are one class here. */
type BidiClass = 'left' | 'right' | 'european' | 'arabic' | 'mark' | 'neutral';

/**
 * The platform's patterns do not know the class, so blocks stand for it. They are correct only for letters that may
 * occur in a label at all (RFC 5892).
 */
const RIGHT = /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]$/u;
const EUROPEAN_DIGIT = /^[0-9\u06f0-\u06f9]$/;
const ARABIC_DIGIT = /^[\u0660-\u0669\u{10d30}-\u{10d39}]$/u;
/** Matches the hyphen, joiners, middle dots, keraia, and modifier letters without a direction. */
const NEUTRAL = /^[-\u00b7\u02b9\u02ba\u02c6-\u02cf\u02ec\u0375\u200c-\u200d\u30fb\ua717-\ua71f\ua788]$/;

function classOf(letter: string): BidiClass {
  if (EUROPEAN_DIGIT.test(letter)) return 'european';
  if (ARABIC_DIGIT.test(letter)) return 'arabic';
  if (/^\p{Mn}$/u.test(letter)) return 'mark';
  if (NEUTRAL.test(letter)) return 'neutral';
  return RIGHT.test(letter) ? 'right' : 'left';
}

/** If one label is written from right to left, all labels must keep the rule (RFC 5893, section 2). */
export function keepsBidiRule(labels: readonly string[]): boolean {
  const classes = labels.map((label) => [...label].map(classOf));
  const isBidi = classes.some((label) => label.includes('right') || label.includes('arabic'));
  return !isBidi || classes.every(isOneDirection);
}

function isOneDirection(label: readonly BidiClass[]): boolean {
  const last = label.findLast((name) => name !== 'mark');
  switch (label[0]) {
    case 'right':
      if (label.includes('left') || (label.includes('european') && label.includes('arabic'))) return false;
      return last !== 'neutral';
    case 'left':
      if (label.includes('right') || label.includes('arabic')) return false;
      return last === 'left' || last === 'european';
    default:
      return false;
  }
}
