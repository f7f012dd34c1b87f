// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources under test hold templates
import { expect, it } from 'vitest';
import { matchBrackets, tokenise } from './tokens.mjs';

const read = (source) => tokenise(source).map(({ kind, text }) => `${kind} ${text}`);

it('HS-1 comments are not code, and a quote inside one opens nothing', () => {
  expect(read("a // it('x'\n/* it's */ b")).toEqual(['word a', 'word b']);
});

it('HS-1 a template gives its text up to the first substitution, then the code inside', () => {
  expect(read('`CM-1 ${f(`x ${y}`)} end` z')).toEqual([
    'template CM-1 ',
    'punct ${',
    'word f',
    'punct (',
    'template x ',
    'punct ${',
    'word y',
    'punct }',
    'chunk ',
    'punct )',
    'punct }',
    'chunk  end',
    'word z',
  ]);
});

it('HS-1 a slash divides after a value and starts a regular expression elsewhere', () => {
  expect(read('a / b / c; x = /[\'"/]/u')).toHaveLength(6 + 2 + 1);
  expect(read("return /it's/")).toEqual(['word return', "regex /it's/"]);
  expect(read('/[/`]/.test(s)')[0]).toBe('regex /[/`]/');
});

it('HS-1 an apostrophe that opens no string costs one line only', () => {
  expect(read("<p>don't</p>\nimport")).toContain('word import');
});

it('HS-1 an escaped quote does not end a string', () => {
  expect(read(String.raw`'it\'s' "a\"b"`)).toEqual([String.raw`string it\'s`, String.raw`string a\"b`]);
});

it('HS-1 tokens know their line, also after strings and comments of several', () => {
  expect(tokenise('/*\n*/ a `\n` b').map(({ line }) => line)).toEqual([2, 2, 3]);
});

it('HS-1 brackets match their own kind, and one left open ends with the file', () => {
  const tokens = tokenise('f({ a: [1] }, `${x}`)(');
  expect([...matchBrackets(tokens)]).toEqual([
    [5, 7],
    [2, 8],
    [11, 13],
    [1, 15],
    [16, 17],
  ]);
});
