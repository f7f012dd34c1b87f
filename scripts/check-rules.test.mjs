// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources under test hold templates
import { describe, expect, it } from 'vitest';
import { checkRules, citedIds, readChapter, readTests, summarise } from './check-rules.mjs';
import { findFiles, ROOT, readFiles } from './files.mjs';

const CHAPTER = `# Chapter

Status: in force

| ID | Rule |
|---|---|
| AA-1 | one, see AA-9 |

- **AA-2** two
- not a rule: AA-3
`;

const check = (source, chapter = CHAPTER) =>
  checkRules(new Map([['docs/spec/01.md', chapter]]), new Map([['a.test.ts', source]])).errors;

describe('HS-1 rules are read from the chapters', () => {
  it('finds table rows and bullets, and no mere mention', () => {
    expect(readChapter(CHAPTER)).toEqual({ status: 'in force', ids: ['AA-1', 'AA-2'] });
  });

  it('finds an ID in the last column', () => {
    expect(readChapter('| Layer | What | Rule |\n|---|---|---|\n| L1 | x | EE-1 |').ids).toEqual(['EE-1']);
  });

  it('finds every rule of our own chapters', () => {
    const chapters = readFiles(ROOT, findFiles(ROOT, 'docs/spec', /^\d\d-.*\.md$/));
    const counts = {};
    for (const text of chapters.values()) {
      for (const id of readChapter(text).ids) counts[id.slice(0, 2)] = Number(id.slice(3));
    }
    const last = { HS: 23, CM: 17, DF: 22, RL: 11, TC: 10, CG: 16, EE: 26, TR: 9, SK: 5, SA: 3, BN: 13, BV: 6, BA: 8 };
    expect(counts).toEqual({ ...last, SD: 8, SI: 6, PK: 9, OP: 16, AC: 10, WC: 84 });
  });
});

describe('HS-1 titles are read from the tests', () => {
  it('takes the IDs at the start only', () => {
    expect(citedIds('AA-1 works')).toEqual(['AA-1']);
    expect(citedIds('AA-1, AA-2: work')).toEqual(['AA-1', 'AA-2']);
    expect(citedIds('AA-1 AA-2 work like BB-1')).toEqual(['AA-1', 'AA-2']);
    expect(citedIds('works as AA-1 says')).toEqual([]);
    expect(citedIds('AA-1x')).toEqual([]);
  });

  it.each([
    ["it('AA-1 a', () => {})"],
    ['test("AA-1 a", () => {})'],
    ['it(`AA-1 ${name}`, () => {})'],
    ["it.concurrent('AA-1 a', () => {})"],
    ["it.each([[1, ')']])('AA-1 %s', () => {})"],
    ["test.each<[number, Map<string, () => void>]>([[1]])('AA-1 a', () => {})"],
    ["it.each`a | b\n${1} | ${2}`('AA-1 $a', () => {})"],
    ["it.prop([fc.string()])('AA-1 a', () => {})"],
  ])('understands %s', (source) => {
    expect(readTests(source).map(({ ids }) => ids)).toEqual([['AA-1']]);
  });

  it('passes the IDs of a describe to the tests inside, and to no other', () => {
    const source = "describe('AA-1 x', () => { describe('y', () => { it(name); it('AA-2 b') }) }); it('c')";
    expect(readTests(source).map(({ ids }) => ids)).toEqual([['AA-1'], ['AA-2', 'AA-1'], []]);
  });

  it('takes neither a method, nor a declaration, nor a comment for a test', () => {
    expect(
      readTests("/x/.test('a'); // it('b')\nconst p = { test(text) { return 1 } }; type T = { test(a): b }"),
    ).toEqual([]);
  });
});

describe('HS-1 each disagreement is an error', () => {
  it('accepts rules and tests that agree', () => {
    expect(check("it('AA-1 a'); it('AA-2 b')")).toEqual([]);
  });

  it('reports a rule in force without a test', () => {
    expect(check("it('AA-1 a')")).toEqual(['docs/spec/01.md: no test cites AA-2']);
  });

  it('reports an ID that no chapter defines', () => {
    expect(check("it('AA-1 AA-2 a');\nit('AA-3 b')")).toEqual(['a.test.ts:2: AA-3 is not defined in docs/spec']);
  });

  it('reports a title without an ID, and one that is an expression', () => {
    expect(check("it('AA-1 AA-2 a'); it('b'); it(name)")).toEqual([
      'a.test.ts:1: the title cites no rule: b',
      'a.test.ts:1: the title cites no rule: (an expression)',
    ]);
  });

  it('reports a rule defined twice and a chapter without a status', () => {
    expect(check("it('AA-1 AA-2 a')", `${CHAPTER}- **AA-1** again`)).toEqual([
      'docs/spec/01.md: AA-1 is defined twice',
    ]);
    expect(check("it('AA-1 a')", '- **AA-1** one')).toEqual([
      'docs/spec/01.md: the status line must say "in force" or "planned"',
    ]);
  });

  it('demands no test of a planned rule, and lists those that have one', () => {
    const planned = CHAPTER.replace('in force', 'planned');
    const chapters = new Map([['docs/spec/01.md', planned]]);
    const { rules, errors } = checkRules(chapters, new Map([['a.test.ts', "it('AA-2 b')"]]));
    expect(errors).toEqual([]);
    expect(summarise(rules)).toBe('rules in force 0, cited 0, planned 2 (with tests already: AA-2)');
  });
});

describe('HS-1 the table of contents is compared with the chapters', () => {
  const contents = (...rows) => ['| Chapter | IDs | Status |', '|---|---|---|', ...rows].join('\n');
  const compare = (table) =>
    checkRules(
      new Map([
        ['docs/spec/README.md', table],
        ['docs/spec/01.md', CHAPTER.replace('in force', 'planned')],
      ]),
      new Map(),
    ).errors;

  it('HS-1 accepts a table that agrees', () => {
    expect(compare(contents('| [1. One](01.md) | AA | planned |'))).toEqual([]);
  });

  it.each([
    ['another status', ['| [1. One](01.md) | AA | in force |'], 'says "AA: in force" of docs/spec/01.md'],
    ['other prefixes', ['| [1. One](01.md) | AA, BB | planned |'], 'says "AA, BB: planned" of docs/spec/01.md'],
    ['a chapter too few', [], 'does not list docs/spec/01.md'],
    ['a chapter too many', ['| [1. One](01.md) | AA | planned |', '| [2](02.md) | BB | planned |'], 'is not there'],
  ])('HS-1 finds %s', (_, rows, error) => {
    expect(compare(contents(...rows))).toEqual([expect.stringContaining(error)]);
  });
});
