import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explainMissing, findSuite } from '../../../scripts/suite.mjs';
import type { Json, JsonObject } from '../src/json/value.ts';
import { compileCheck } from '../src/schema/evaluate.ts';
import { readSchema } from '../src/schema/read.ts';
import listed from './suite-unsupported.json' with { type: 'json' };

interface Group {
  readonly description: string;
  readonly schema: Json;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

interface Unsupported {
  readonly file: string;
  readonly group: string;
  /** Absent means every case of the group. */
  readonly test?: string;
  readonly reason: string;
}

const unsupported: readonly Unsupported[] = listed;
const suite = findSuite();

/** Cases of a file that fail without being listed, and that are listed without failing. A refused schema is a failure. */
function runFile(folder: string, file: string): { count: number; failed: string[]; stale: string[] } {
  const groups: readonly Group[] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const result = { count: 0, failed: [] as string[], stale: [] as string[] };
  for (const { description: group, schema, tests } of groups) {
    const { root } = readSchema(schema);
    const check = root && compileCheck(root);
    for (const { description, data, valid } of tests) {
      const answer = check?.(data);
      const isRight = answer?.valid === valid && valid === (answer.findings.length === 0);
      const isListed = unsupported.some(
        (entry) => entry.file === file && entry.group === group && (entry.test ?? description) === description,
      );
      result.count++;
      if (isRight && isListed) result.stale.push(`${group}: ${description}`);
      if (!isRight && !isListed) result.failed.push(`${group}: ${description}`);
    }
  }
  return result;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

if (suite === undefined) {
  test(`CM-6 the official suite is not on this machine: ${explainMissing()}`, () => {
    expect(findSuite()).toBeUndefined();
    const hasApt = existsSync('/usr/bin/apt-get');
    expect(process.env.CI === 'true' && hasApt, 'with apt-get at hand, scripts/suite.mjs could have fetched it').toBe(
      false,
    );
  });
} else {
  describe('CM-6 the official suite of draft 2020-12', () => {
    const files = listFiles(suite);

    test.for(files)('CM-6 %s', (file) => {
      const { failed, stale } = runFile(suite, file);
      expect({ failed, stale }).toEqual({ failed: [], stale: [] });
    });

    test.for(['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2019-09/schema'])(
      'CM-6 dependencies in a schema of %s',
      (dialect) => {
        const groups: readonly Group[] = JSON.parse(
          readFileSync(join(suite, 'optional/dependencies-compatibility.json'), 'utf8'),
        );
        for (const { schema, tests } of groups) {
          const check = compileCheck(readSchema({ ...(schema as JsonObject), $schema: dialect }).root!);
          expect(tests.map(({ data }) => check(data).valid)).toEqual(tests.map(({ valid }) => valid));
        }
      },
    );

    test('CM-6 the suite is whole', () => {
      const count = files.reduce((sum, file) => sum + runFile(suite, file).count, 0);
      expect(files.length).toBeGreaterThan(70);
      expect(count).toBeGreaterThan(1500);
    });
  });
}

test('CM-6 every unsupported case of the official suite has a reason', () => {
  expect(unsupported.filter(({ reason }) => reason.length < 10)).toEqual([]);
});

test('CM-6 a JSON_SCHEMA_SUITE that holds no suite is said to be the reason, and nothing else is tried', () => {
  const environment = { JSON_SCHEMA_SUITE: import.meta.dirname };
  expect(findSuite(environment)).toBeUndefined();
  expect(explainMissing(environment)).toContain('JSON_SCHEMA_SUITE');
  expect(explainMissing({})).toContain('libtest-json-schema-acceptance-perl');
});
