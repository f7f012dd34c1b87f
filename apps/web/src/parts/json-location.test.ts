import { describe, expect, it } from 'vitest';
import { findLocation } from './json-location.ts';

const TEXT = '{\n  "tools": [{ "name": "a", "a/b": 1 }, { "name": "bb" }],\n  "x": { "y": [true, null] }\n}';
const at = (pointer: string) => {
  const { from, to } = findLocation(TEXT, pointer);
  return TEXT.slice(from, to);
};

describe('CM-15 a finding is shown where it points', () => {
  it('CM-15 finds values by JSON Pointer, escaped names too', () => {
    expect(at('/tools/1/name')).toBe('"bb"');
    expect(at('/tools/0/a~1b')).toBe('1');
    expect(at('/x/y/1')).toBe('null');
  });

  it('CM-15 marks the name of what holds more, and the start of an entry of a list', () => {
    expect(at('/x')).toBe('"x"');
    expect(at('/x/y')).toBe('"y"');
    expect(findLocation(TEXT, '/tools/1')).toEqual({
      from: TEXT.indexOf('{ "name": "bb"'),
      to: TEXT.indexOf('{ "name": "bb"') + 1,
    });
  });

  it('CM-15 what is missing is shown at its nearest parent', () => {
    expect(at('/x/z/1')).toBe('"x"');
    expect(findLocation(TEXT, '/none')).toEqual({ from: 0, to: 1 });
    expect(findLocation('', '/none')).toEqual({ from: 0, to: 0 });
    expect(findLocation('{"a":', '/a')).toEqual({ from: 5, to: 5 });
  });
});
