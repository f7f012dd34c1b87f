import { describe, expect, it } from 'vitest';
import { findPathProblem, foldPath, isSafePath } from './path.ts';

describe('BV-4 a path', () => {
  it.each([
    ['', 'empty'],
    ['a'.repeat(2_000), 'too_long'],
    ['../a', 'traversal'],
    ['a/../../b', 'traversal'],
    ['a/..', 'traversal'],
    ['/etc/passwd', 'absolute'],
    ['//server/share', 'absolute'],
    ['~root/.ssh', 'absolute'],
    ['C:/a', 'drive'],
    ['c:a', 'drive'],
    ['file:///a', 'drive'],
    ['a.txt:stream', 'drive'],
    ['\\\\server\\share', 'backslash'],
    ['a\\..\\b', 'backslash'],
    ['a\0b', 'control_character'],
    ['a\u007fb', 'control_character'],
    ['a\u2028b', 'control_character'],
    ['a\u202eb', 'control_character'],
    ['a\ud800b', 'control_character'],
    ['%2e%2e/a', 'encoded'],
    ['a%2Fb', 'encoded'],
    ['a%5Cb', 'encoded'],
    ['%25252e', 'encoded'],
    ['a%00', 'encoded'],
    ['a./b', 'trailing'],
    ['a /b', 'trailing'],
    ['.../b', 'trailing'],
    ['a/nul', 'reserved'],
    ['CON.txt', 'reserved'],
    ['com1.tar.gz', 'reserved'],
    ['lpt²', 'reserved'],
  ])('%j is refused as %s', (path, problem) => {
    expect(findPathProblem(path)).toBe(problem);
  });

  it.each(['a', 'a/b.txt', './a', '.hidden/x', '..a/b', 'a..b', 'conference', 'com10', '100%', '目录/文件.md', 'a/'])(
    '%j is fine',
    (path) => {
      expect(findPathProblem(path)).toBeUndefined();
    },
  );

  it('is safe in one spelling only, on every system', () => {
    expect(['a', 'a/b.txt', '.hidden/x', '目录/文件.md'].every(isSafePath)).toBe(true);
    const long = '文'.repeat(67);
    for (const path of ['', './a', 'a//b', 'a/', '../a', 'a?b', 'a*', 'a|b', `x/${long}`, 'con'])
      expect([path, isSafePath(path)]).toEqual([path, false]);
  });

  it('has one key with every path that is the same file somewhere', () => {
    expect(foldPath('Skills/A.md')).toBe(foldPath('skills//./a.MD'));
    expect(foldPath('caf\u00e9')).toBe(foldPath('CAFE\u0301'));
    expect(foldPath('stra\u00dfe')).toBe(foldPath('STRASSE'));
    expect(foldPath('a/b')).not.toBe(foldPath('a/c'));
  });
});
