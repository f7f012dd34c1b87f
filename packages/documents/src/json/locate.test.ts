import { describe, expect, it } from 'vitest';
import { locatePointers } from './locate.ts';

const TEXT = '\ufeff{ "a": [1, { "b": "x" }], "a/b": { "\\u0063": true } }';

function show(text: string, pointer: string): readonly string[] {
  const location = locatePointers(text, [pointer]).get(pointer);
  if (location === undefined) return [];
  const { key, value } = location;
  return [...(key === undefined ? [] : [text.slice(key.start, key.end)]), text.slice(value.start, value.end)];
}

describe('CM-15 where a JSON Pointer points in a text', () => {
  it.each([
    ['', ['{']],
    ['/a', ['"a"', '[']],
    ['/a/0', ['1']],
    ['/a/1', ['{']],
    ['/a/1/b', ['"b"', '"x"']],
    ['/a~1b/c', ['"\\u0063"', 'true']],
  ])('CM-15 finds %s with its key', (pointer, shown) => {
    expect(show(TEXT, pointer)).toEqual(shown);
  });

  it('CM-15 what is not there is where the nearest thing around it is', () => {
    expect(show(TEXT, '/a/1/none/0')).toEqual(['{']);
    expect(show(TEXT, '/a/2')).toEqual(['"a"', '[']);
    expect(show(TEXT, 'no pointer')).toEqual(['{']);
  });

  it('CM-15 of two members with one name only the later counts, and what is in it', () => {
    expect(show('{"a":{"b":1},"a":{"c":2}}', '/a/c')).toEqual(['"c"', '2']);
    expect(locatePointers('{"a":{"b":1},"a":2}', ['/a/b']).get('/a/b')?.value).toEqual({ start: 17, end: 18 });
  });

  it('CM-15 a text that is no JSON is read up to its fault', () => {
    expect(show('{"a": 1, "b" 2}', '/a')).toEqual(['"a"', '1']);
    expect(show('{"a": 1, "b" 2}', '/b')).toEqual(['{']);
    expect(show('{"a":', '/a')).toEqual(['"a"', '']);
    for (const text of ['', '}', 'nul', '"']) expect(show(text, '/a')).toEqual([]);
  });

  it('CM-15 attack: a nesting of a million levels ends', () => {
    const text = '['.repeat(1_000_000);
    expect(locatePointers(text, ['/0/0']).get('/0/0')?.value).toEqual({ start: 2, end: 3 });
  });
});
