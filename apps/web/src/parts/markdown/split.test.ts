import { describe, expect, it } from 'vitest';
import { splitMarkdown } from './split.ts';

const join = (text: string) =>
  splitMarkdown(text)
    .map((part) => part.text)
    .join('');

/** A hundred thousand characters in parts that are short enough. */
const paragraphs = (piece: string) => `${piece.repeat(Math.floor(7_900 / piece.length))}\n\n`.repeat(12);

describe('WC-31 a long message is formatted in parts', () => {
  it('cut at empty lines, never in code or in a list', () => {
    const paragraph = `${'word '.repeat(1_000)}\n\n`;
    const code = `\`\`\`js\n${'let a;\n\n'.repeat(1_500)}\`\`\`\n`;
    const text = `${paragraph.repeat(3)}- a\n\n  still a\n\n${code}\nend`;
    const parts = splitMarkdown(text);
    expect(join(text)).toBe(text);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.find((part) => part.text.includes('```'))?.text).toContain(code);
    expect(parts.find((part) => part.text.includes('- a'))?.text).toContain('still a');
  });

  it('what people and agents write is formatted', () => {
    const table = `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(500)}`;
    const list = '- one *two* **three** `four`\n'.repeat(90);
    for (const text of [table, list, '', 'a\n\n> b\n> > c\n\n1. d\n   - e\n     - f'])
      expect(splitMarkdown(text).filter(({ isPlain }) => isPlain)).toEqual([]);
  });

  it('attack: as many links as may be: of what makes it slow, little reaches the parser at once', () => {
    const link = (n: number) => `[a](b) ${'word '.repeat(n % (n < 1_500 ? 3 : 20))}${n % 50 === 0 ? '\n\n' : ''}`;
    const text = Array.from({ length: 3_000 }, (_, n) => link(n)).join('');
    const parsed = splitMarkdown(text).filter(({ isPlain }) => !isPlain);
    expect(parsed.length).toBeGreaterThan(0);
    expect(parsed.length).toBeLessThan(splitMarkdown(text).length);
    for (const part of parsed) expect(part.text.match(/[[\]!]/g)!.length).toBeLessThanOrEqual(600);
    expect(join(text)).toBe(text);
  });

  it.each([
    ['emphasis that never ends', '*a_ '.repeat(25_000)],
    ['quotes in quotes', '>'.repeat(100_000)],
    ['lists in lists', '- '.repeat(50_000)],
    ['lists that go deeper', Array.from({ length: 400 }, (_, n) => `${' '.repeat(n)}- a`).join('\n')],
    ['cells', `${'|a'.repeat(2_000)}\n${'|-'.repeat(2_000)}\n`],
    [
      'rows of a wide table that name one cell',
      `${'|a'.repeat(700)}\n${'|-'.repeat(700)}\n\u00a0\n${'a\n'.repeat(900)}`,
    ],
    ['links', paragraphs('[a](b)')],
    ['pictures of nothing', paragraphs('![[]()')],
    ['references', paragraphs('[a]')],
    ['signs that may begin a picture', paragraphs('!')],
    ['pieces of code', paragraphs('`a` ')],
    ['lines', 'a\n=\n'.repeat(2_000)],
    ['one endless line', 'a'.repeat(100_000)],
    ['emphasis in emphasis', `${'*'.repeat(7_900)}a${'*'.repeat(7_900)}`],
    ['instructions that never end', `a${'<?'.repeat(7_900)}`],
    ['comments that never end', `a${'<!--'.repeat(500)}${'a'.repeat(13_000)}`],
    ...Object.entries({
      'a fence with a backtick in its first line': '```a`',
      'a fence that ends in a list': '- ```\n  ```',
      'a fence that ends in a list, after an empty line': '- ```\n\n  ```',
      'fences of which one ends in a list': '- ```\n  ```\n```\n```',
      'a fence in a comment': '<!--\n```\n-->',
      'a fence in HTML': '<div>\n```\n',
      'a fence that a mark of the byte order comes before': '\ufeff```\n```',
      'a fence that a line separator is in': '```a\u2028b\n```',
      'a fence that a space of another kind follows': '```\n```\u00a0\n```',
    }).map(([name, begin]) => [`emphasis after ${name}`, `${begin}\n${'*a_ '.repeat(3_900)}`]),
    ['lines that end as on an old Macintosh', 'a\r=\r'.repeat(2_000)],
    ['quotes in quotes after such a line', `a\r${'>'.repeat(15_000)}`],
  ])('attack: %s', (_, text) => {
    expect(splitMarkdown(text).every(({ isPlain }) => isPlain)).toBe(true);
    expect(join(text)).toBe(text);
  });
});
