import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSuite } from '../../../../scripts/suite.mjs';
import type { Json, Schema } from '../json.ts';
import { createReferenceJudge } from './reference.ts';

test('DF-21 what a condition evaluates is unseen by its branches, where both other judges see it', () => {
  const accepts = createReferenceJudge({
    if: { additionalProperties: {} },
    then: { unevaluatedProperties: false, anyOf: [{}, { patternProperties: { '.': { type: 'string' } } }] },
  });
  expect([accepts({ a: 6 }), accepts({ a: 'b' }), accepts({})]).toEqual([false, true, true]);
});

interface Group {
  readonly description: string;
  readonly schema: Schema;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

/** The generators make no such schemas: other bases, anchors, dialects, regular expressions of other kinds. */
const FOREIGN = /"\$(id|anchor|dynamicRef|schema|vocabulary)"|"\$ref":"[^#]|\\\\p|"multipleOf":0\.0/;

test('DF-21 the judge by the letter says what the official suite says', () => {
  const suite = findSuite();
  // Without the suite there is nothing to hold it against; CM-6 says so loudly.
  const files = suite === undefined ? [] : readdirSync(suite).filter((name) => name.endsWith('.json'));
  const wrong: string[] = [];
  let count = 0;
  for (const file of files) {
    const groups: Group[] = JSON.parse(readFileSync(join(suite!, file), 'utf8'));
    for (const { description, schema, tests } of groups) {
      if (
        FOREIGN.test(JSON.stringify(schema).replaceAll('"$schema":"https://json-schema.org/draft/2020-12/schema"', ''))
      )
        continue;
      const accepts = createReferenceJudge(schema);
      for (const { description: name, data, valid } of tests) {
        count++;
        if (accepts(data) !== valid) wrong.push(`${file}: ${description}: ${name}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(suite === undefined || count > 600).toBe(true);
});
