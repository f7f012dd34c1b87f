import { describe, expect, test } from 'vitest';
import { isPrinted, readBlocks, readConsole, splitLasting } from './blocks.mjs';
import { compareTwins, runsOtherwise } from './twins.mjs';
import { findCalls, findMistake, findStranger } from './usage.mjs';

const fence = (language, code, words = '') => `${words}\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;
const read = (...parts) => readBlocks(parts.join('\n'));

describe('HS-16 the code of a guide', () => {
  test('HS-16 is read in order, with its language, its file and the words before it', () => {
    const text = ['# Title', fence('sh', 'one\ntwo'), fence('js', 'three();', 'Other.\n\nSave it as `a/b.mjs`:')];
    expect(read(...text)).toEqual([
      { line: 5, language: 'sh', code: 'one\ntwo\n', file: undefined, notRun: undefined, words: '' },
      {
        line: 14,
        language: 'js',
        code: 'three();\n',
        file: 'a/b.mjs',
        notRun: undefined,
        words: 'Save it as `a/b.mjs`:',
      },
    ]);
  });

  test('HS-16 is not run only for a reason, given right before it', () => {
    const marked = '<!-- guide-test: not run, it needs a model -->\n```js\na();\n```\n';
    expect(read('Save as `a.mjs`:', marked)[0]).toMatchObject({
      notRun: 'it needs a model',
      words: 'Save as `a.mjs`:',
    });
    for (const text of [
      '<!-- guide-test: not run -->\n```js\na();\n```',
      '<!-- guide-test: not run, too far away -->\n\nWords.\n\n```js\na();\n```',
      '<!-- guide-test: not run, of nothing -->',
      '<!-- guide-test: not run, of nothing -->\n\n# Title',
    ]) {
      expect(() => readBlocks(text)).toThrow('right before a block');
    }
  });

  test.each(['  ```sh\n  hidden\n  ```', '~~~sh\nhidden\n~~~', '```sh title\nhidden\n```', '```sh\nno end'])(
    'HS-16 cannot hide in another kind of fence: %j',
    (text) => {
      expect(() => readBlocks(text)).toThrow(/^line \d/);
    },
  );

  test('HS-16 of a console is commands and what they print', () => {
    expect(readConsole('$ a\none\n$ b\n')).toEqual([
      { command: 'a', shown: ['one'] },
      { command: 'b', shown: [] },
    ]);
    expect(() => readConsole('one\n$ a\n')).toThrow('begins with');
  });

  test.each([
    ['the same lines', ['a', 'b (c)'], 'a\nb (c)\n', true],
    ['a line more', ['a'], 'a\nb\n', false],
    ['a line less', ['a', 'b'], 'a\n', false],
    ['another line', ['a.c'], 'abc\n', false],
    ['anything within a line', ['a … d'], 'a b c d\n', true],
    ['a wildcard that would need two lines', ['a…d'], 'a\nd\n', false],
    ['any lines, or none', ['…', 'a', '…'], 'a\n', true],
    ['lines around', ['…', 'b', '…'], 'a\nb\nc\n', true],
    ['lines that do not come', ['…', 'b', '…'], 'a\nc\n', false],
  ])('HS-16 prints what is shown: %s', (_, shown, printed, expected) => {
    expect(isPrinted(shown, printed)).toBe(expected);
  });

  test('HS-16 that runs until Ctrl-C ends its block: nothing can be typed after it', () => {
    expect(splitLasting('a\nb # 直到按下 Ctrl-C\n')).toEqual({ before: 'a\n', lasting: 'b' });
    expect(splitLasting('a # b\n')).toEqual({ before: 'a # b\n', lasting: undefined });
    expect(() => splitLasting('a # until Ctrl-C\nb\n')).toThrow('nothing can be typed after: a');
  });
});

describe('HS-16 a translation', () => {
  const compare = (one, other, language = 'sh') =>
    compareTwins(read(fence(language, one)), read(fence(language, other)));

  test.each([
    ['comments', 'a  # the first', 'a  # 第一个', 'sh'],
    ['quoted words', 'a --send "where am I"', 'a --send "我在哪里"', 'sh'],
    ['what is printed', '$ a\nfine', '$ a --locale zh-CN\n正常', 'console'],
  ])('HS-16 may translate %s', (_, one, other, language) => {
    expect(compare(one, other, language)).toEqual([]);
  });

  test.each([
    ['another command', 'a', 'b', 'sh'],
    ['another value', 'a --url "x"', 'a --url "y"', 'sh'],
    ['a command more', 'a', 'a\nb', 'sh'],
    ['another command in a console', '$ a\nfine', '$ b\n正常', 'console'],
    ['a printed line less', '$ a\nfine\nso', '$ a\n正常', 'console'],
  ])('HS-16 may not have %s', (_, one, other, language) => {
    expect(compare(one, other, language)).toEqual(['lines 4 and 4: other code']);
  });

  test('HS-16 may not leave out a block, or give it another file or mark', () => {
    const saved = fence('js', 'a();', 'Save it as `a.mjs`:');
    expect(compareTwins(read(saved, saved), read(saved))).toEqual(['2 blocks, and 1 in the translation']);
    const others = read(
      fence('js', 'a();', 'Save it as `b.mjs`:\n\n<!-- guide-test: not run, why -->').replace('-->\n\n', '-->\n'),
    );
    expect(compareTwins(read(saved), others)).toEqual(['lines 4 and 5: another file, notRun']);
  });

  test('HS-16 is run, too, where it would do something else', () => {
    expect(runsOtherwise({ code: 'a # b\n' }, { code: 'a # c\n' })).toBe(false);
    expect(runsOtherwise({ code: 'a "b"\n' }, { code: 'a "c"\n' })).toBe(true);
  });
});

describe('HS-16 a command that a guide names', () => {
  const option = (long) => ({ long });
  const command = (name, options, commands = []) => ({ name: () => name, options, commands });
  const program = command(
    'parley',
    [option('--json')],
    [command('chat', [option('--send')]), command('agent', [], [command('list', [])])],
  );
  const mistakeIn = (text) => findCalls(text).map(({ words }) => findMistake(words, program));

  test('HS-16 exists', () => {
    expect(mistakeIn('echo x | npx parley chat Bot --send "a --wrong b" --json # --not this')).toEqual([undefined]);
    expect(mistakeIn('npx parley agent list; parley agent --help')).toEqual([undefined, undefined]);
    expect(mistakeIn('nparley wrong')).toEqual([]);
  });

  test('HS-16 or is named as a mistake', () => {
    expect(mistakeIn('npx parley shout')).toEqual(['shout']);
    expect(mistakeIn('npx @parley/cli shout; npm i @parley/cli shout')).toEqual(['shout']);
    expect(mistakeIn('npx parley agent remove ID')).toEqual(['remove']);
    expect(mistakeIn('ID=$(parley agent list --all)')).toEqual(['--all']);
    expect(mistakeIn('parley chat --sent=x')).toEqual(['--sent']);
  });
});

test('PK-3 a program that nothing has brought would be a stranger', () => {
  expect(findStranger('npx parley start\nnpm i @parley/cli')).toBe('npx parley');
  expect(findStranger('`npx roleos init`')).toBe('npx roleos');
  expect(findStranger('npm i @parley/agent\nnpx parley start')).toBe('npx parley');
  expect(findStranger('npm i @parley/cli @parley/agent\nnpx parley start')).toBeUndefined();
  expect(findStranger('In a clone: npx parley start')).toBeUndefined();
  expect(findStranger('npx @parley/cli start')).toBeUndefined();
});
