import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compactJson } from './compact-json.ts';

test('HS-7 what the tour shows of a manifest is JSON that says the same', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../../../examples/manifests/demobot.json', import.meta.url), 'utf8'),
  );
  for (const columns of [0, 40, 80, 1000]) expect(JSON.parse(compactJson(manifest, columns))).toEqual(manifest);
});

test('HS-7 short values stay on one line, long ones are opened', () => {
  expect(compactJson({ a: [1, 2], b: {} }, 30)).toBe('{ "a": [1, 2], "b": {} }');
  expect(compactJson({ first: [1, 2], second: 'x' }, 20)).toBe('{\n  "first": [1, 2],\n  "second": "x"\n}');
  const nested = { properties: { path: { type: 'string', minLength: 1 } }, more: {} };
  expect(compactJson(nested, 48).split('\n')[2]).toBe('    "path": { "type": "string", "minLength": 1 }');
});
