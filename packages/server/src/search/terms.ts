// Only this file finds words, in documents and in queries, so that both agree whatever the locale of the database is.
// Terms consist of letters, digits and marks: nothing in them has a meaning to tsvector or tsquery.

type Weight = 'A' | 'B' | 'C' | 'D';
/** Texts of one importance, A being the highest. */
export type WeightedTexts = readonly [weight: Weight, texts: readonly string[]];

const MAX_TERMS = 8_000;
const MAX_TERM = 64;
const MAX_QUERY_TERMS = 32;
const MIN_PREFIX = 3;
/** The distance between two texts, so that words at their edges are not neighbours. */
const GAP = 8;

/** Scripts written without spaces, where a word can begin anywhere. */
const SPACELESS =
  '(?=[\\p{L}\\p{M}\\p{N}])[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]';
const RUNS = new RegExp(`((?:${SPACELESS})+)|(?:(?!${SPACELESS})[\\p{L}\\p{M}\\p{N}])+`, 'gu');

/** Returns the literal of a tsvector. */
export function toVector(texts: readonly WeightedTexts[]): string {
  const entries: string[] = [];
  let position = 1;
  for (const [weight, group] of texts) {
    for (const text of group) {
      for (const term of terms(text, true)) {
        if (entries.length === MAX_TERMS) return entries.join(' ');
        entries.push(`'${term}':${position++}${weight}`);
      }
      position += GAP;
    }
  }
  return entries.join(' ');
}

/**
 * Returns the literal of a tsquery that requires every word, or undefined if there is none. The words may be
 * unfinished.
 */
export function toQuery(text: string): string | undefined {
  const wanted = [...new Set(terms(text, false))].slice(0, MAX_QUERY_TERMS);
  return wanted.length === 0 ? undefined : wanted.map((term) => `'${term}'${isOpen(term) ? ':*' : ''}`).join(' & ');
}

function isOpen(term: string): boolean {
  const length = [...term].length;
  // One character of Chinese begins the pairs that it is found by.
  return startsSpaceless(term) ? length === 1 : length >= MIN_PREFIX;
}

const START = new RegExp(`^${SPACELESS}`, 'u');
function startsSpaceless(term: string): boolean {
  return START.test(term);
}

function terms(text: string, document: boolean): string[] {
  const found: string[] = [];
  for (const [run, spaceless] of text.normalize('NFKC').toLowerCase().matchAll(RUNS)) {
    if (spaceless === undefined) found.push([...run].slice(0, MAX_TERM).join(''));
    else found.push(...pairs(spaceless, document));
  }
  return found;
}

/** `天气预报` is 天气, 气预, 预报; in a document also 报, so that each character begins a term. */
function pairs(run: string, document: boolean): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  const found = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  if (document) found.push(characters.at(-1)!);
  return found;
}
