import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../pattern.ts';
import { type StringGoal, solveString } from '../string-solver.ts';

/** Few characters, so that random patterns and random texts meet; one of each kind that engines treat differently. */
const CHARS = ['a', 'b', 'c', 'A', '0', '1', '_', '-', ' ', '\n', '\u00a0', '\u2028', 'é', '😀'];

/** A text over those characters. */
const text = fc.string({ unit: fc.constantFrom(...CHARS), maxLength: 6 });

const literal = fc.constantFrom('a', 'b', 'c', 'A', '0', '_', '-', ' ', '\\n', 'é', '😀', '\\u{1F600}', '\\.', '\\/');
const escapes = ['\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\p{L}', '\\P{Lu}', '\\p{Script=Latin}'];
const classItem = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '0', '_', ' ', '\\-', '\\n', 'é', '😀'),
  fc.constantFrom(...escapes),
  fc.constantFrom('a-b', 'a-z', '0-9', 'A-Z', ' -\u{10FFFF}', '\\x00-\\x7f'),
);
const characterClass = fc
  .tuple(fc.constantFrom('', '^'), fc.array(classItem, { maxLength: 3 }))
  .map(([sign, items]) => `[${sign}${items.join('')}]`);
const assertion = fc.constantFrom('^', '$', '\\b', '\\B');
const quantifier = fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '{3}', '*?', '+?', '??');

/** A pattern valid in unicode mode of ECMA-262, without look-around and back-references. */
const ecmaPattern = fc.letrec<Record<'pattern' | 'sequence' | 'term' | 'atom', string>>((tie) => ({
  pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((alternatives) => alternatives.join('|')),
  sequence: fc.array(tie('term'), { maxLength: 4 }).map((terms) => terms.join('')),
  term: fc.oneof(
    { weight: 3, arbitrary: tie('atom') },
    { weight: 2, arbitrary: fc.tuple(tie('atom'), quantifier).map(([atom, times]) => atom + times) },
    { weight: 1, arbitrary: assertion },
  ),
  atom: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'group' },
    literal,
    fc.constantFrom('.', ...escapes),
    characterClass,
    fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
  ),
})).pattern;

describe('properties', () => {
  it('CM-7 agrees with ECMA-262 on random patterns and texts', () => {
    fc.assert(
      fc.property(ecmaPattern, fc.array(text, { minLength: 5, maxLength: 10 }), (source, texts) => {
        const pattern = compilePattern(source);
        const judge = new RegExp(source, 'u');
        // V8 finds \B between the two halves of a surrogate pair.
        const fair = source.includes('\\B') ? texts.filter((text) => !text.includes('😀')) : texts;
        return fair.every((text) => pattern?.test(text) === judge.test(text));
      }),
      { seed: 20_240_607, numRuns: 1500 },
    );
  });

  it('CM-7 knows the size of a program before it is compiled', () => {
    const named = fc.constantFrom('', '(?<n>x?)|', '(?<n>(?<m>x))', '\\Qab\\E|(?:a?){5}|');
    fc.assert(
      fc.property(named, ecmaPattern, (prefix, source) => {
        const pattern = compilePattern(prefix + source)!;
        expect(pattern.program.inst.length).toBeLessThanOrEqual(pattern.cost);
      }),
      { seed: 20_240_610, numRuns: 1000 },
    );
  });

  it('CM-7 never throws, whatever the source', () => {
    const noise = fc.string({
      unit: fc.constantFrom(...'\\[](){}?*+|^$.-:,=!<>PpuxcQEabdsSwbkz019iUm&é😀'),
      maxLength: 30,
    });
    fc.assert(
      fc.property(noise, text, (source, text) => {
        const pattern = compilePattern(source);
        return pattern === undefined || typeof pattern.test(text) === 'boolean';
      }),
      { seed: 20_240_608, numRuns: 5000 },
    );
  });
});

describe('the solver', () => {
  const alphabet = ['a', 'b', 'A', '0', ' ', '\n', 'é'];
  const texts = [''];
  for (const text of texts) if (text.length < 4) texts.push(...alphabet.map((char) => text + char));
  const sources = fc.array(ecmaPattern, { maxLength: 2 });
  const length = fc.nat({ max: 4 });
  const goals = fc.record({
    match: sources,
    avoid: sources,
    minLength: fc.oneof(fc.constant(0), length),
    more: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), length),
    exclude: fc.array(fc.constantFrom(...texts.slice(0, 60)), { maxLength: 4 }),
  });

  it('DF-21 says none only where no string is, and shows a shortest one else', () => {
    const answers = { none: 0, some: 0, unknown: 0 };
    fc.assert(
      fc.property(goals, ({ match, avoid, minLength, more, exclude }) => {
        const compile = (source: string) => compilePattern(source)!;
        const goal: StringGoal = {
          match: match.map(compile),
          avoid: avoid.map(compile),
          minLength,
          maxLength: minLength + more,
          exclude: new Set(exclude),
          budget: 100_000,
        };
        const judges = [...match.map((source) => [source, true]), ...avoid.map((source) => [source, false])] as const;
        const regexps = judges.map(([source, found]) => [new RegExp(source as string, 'u'), found] as const);
        const isWanted = (text: string, forbidden: ReadonlySet<string>) =>
          [...text].length >= goal.minLength &&
          [...text].length <= goal.maxLength &&
          !forbidden.has(text) &&
          regexps.every(([regexp, found]) => regexp.test(text) === found);
        const wanted = texts.filter((text) => isWanted(text, goal.exclude));
        const check = (forbidden: ReadonlySet<string>, known: readonly string[]) => {
          const answer = solveString({ ...goal, exclude: forbidden });
          answers[answer.kind] += 1;
          if (answer.kind === 'none') expect(known).toEqual([]);
          if (answer.kind !== 'some') return;
          if (!match.concat(avoid).some((source) => source.includes('\\B'))) {
            expect(isWanted(answer.witness, forbidden)).toBe(true);
          }
          expect([...answer.witness].length).toBeLessThanOrEqual(known[0]?.length ?? Number.POSITIVE_INFINITY);
        };
        check(goal.exclude, wanted);
        if (wanted.length < 50) check(new Set([...goal.exclude, ...wanted]), []);
      }),
      { seed: 20_240_609, numRuns: 600 },
    );
    expect(answers.none).toBeGreaterThan(150);
    expect(answers.some).toBeGreaterThan(150);
    expect(answers.unknown).toBeLessThan(10);
  });
});
