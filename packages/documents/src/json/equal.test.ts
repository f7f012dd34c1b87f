import { expect, test } from 'vitest';
import { equalJson } from './equal.ts';
import type { Json } from './value.ts';

const parse = (text: string): Json => JSON.parse(text);

test.each([
  ['1', '1.0'],
  ['0', '-0'],
  ['100', '1e2'],
  ['null', 'null'],
  ['"\\u0061"', '"a"'],
  ['[]', '[ ]'],
  ['{"a":1,"b":[{"c":null,"d":false}]}', '{"b":[{"d":false,"c":null}],"a":1.0}'],
  ['{"__proto__":1}', '{"__proto__":1}'],
])('CM-6 holds %s and %s equal', (a, b) => {
  expect(equalJson(parse(a), parse(b))).toBe(true);
});

test.each([
  ['1', '"1"'],
  ['0', 'false'],
  ['null', '{}'],
  ['null', '[]'],
  ['{}', '[]'],
  ['[]', '{}'],
  ['{"0":1}', '[1]'],
  ['[1,2]', '[2,1]'],
  ['[1]', '[1,1]'],
  ['{"a":1}', '{"a":1,"b":2}'],
  ['{"a":1}', '{"b":1}'],
  ['{"a":{"b":1}}', '{"a":{"b":2}}'],
  ['{"__proto__":{}}', '{"a":{}}'],
  ['{"toString":1}', '{"valueOf":1}'],
  ['{"__proto__":{"a":1}}', '{}'],
])('CM-6 holds %s and %s apart', (a, b) => {
  expect(equalJson(parse(a), parse(b))).toBe(false);
  expect(equalJson(parse(b), parse(a))).toBe(false);
});
