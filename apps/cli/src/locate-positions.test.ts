import { expect, test } from 'vitest';
import { locatePositions } from './locate-positions.ts';

const TEXT = `{
  "tools": [
    { "name": "a", "tags": [1, [2, 3]] },
    {
      "name": "b"
    }
  ],
  "a/b": { "m~n": true }
}
`;

function at(text: string, pointer: string): string {
  const position = locatePositions(text, [pointer]).get(pointer);
  return position === undefined ? 'nowhere' : `${position.line}:${position.column}`;
}

test.each([
  ['', '1:1'],
  ['/tools', '2:3'],
  ['/tools/0', '3:5'],
  ['/tools/0/name', '3:7'],
  ['/tools/0/tags/1', '3:32'],
  ['/tools/0/tags/1/1', '3:36'],
  ['/tools/1/name', '5:7'],
  ['/a~1b/m~0n', '8:12'],
])('CM-15 the pointer "%s" is at %s', (pointer, position) => {
  expect(at(TEXT, pointer)).toBe(position);
});

test.each([
  ['/tools/1/timeout_ms', '4:5'],
  ['/tools/2/name', '2:3'],
  ['/a~1b/x/y', '8:3'],
  ['/missing', '1:1'],
])('CM-15 "%s", which is not there, is where the nearest thing around it is: %s', (pointer, position) => {
  expect(at(TEXT, pointer)).toBe(position);
});

test('CM-15 every pointer of a list is found in one go, in any order', () => {
  const found = locatePositions(TEXT, ['/tools/1/name', '', '/tools/0/name']);
  expect([...found.keys()].sort()).toEqual(['', '/tools/0/name', '/tools/1/name']);
});

test('CM-15 of two members with one name the later is meant', () => {
  expect(at('{\n "a": 1,\n "a": 2\n}', '/a')).toBe('3:2');
});

test('CM-15 escaped keys, quotes in strings and CRLF do not mislead the count', () => {
  expect(at('{"x": "\\\\\\"{[,:",\r\n "\\u0061": 1}', '/a')).toBe('2:2');
  expect(at('{"say \\"hi\\"": [\n0]}', '/say "hi"/0')).toBe('2:1');
});

test('CM-15 a nesting of a million levels ends', () => {
  const text = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
  expect(at(text, '/0/0')).toBe('1:3');
});

test('CM-15 text that breaks off ends the search, not the program', () => {
  for (const text of ['{', '{"a', '[1,', '{"b": "\\']) expect(at(text, '/a/b')).toBe('1:1');
  expect(at('', '/a')).toBe('nowhere');
  expect(at('}', '/a')).toBe('nowhere');
});
