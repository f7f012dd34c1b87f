import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseDescriptor } from './parse.ts';
import { validateDescriptor } from './validate.ts';

const FOLDER = new URL('../../../../examples/skills/', import.meta.url);
const EXAMPLES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

it.each(EXAMPLES)('SD-1 the example %s is valid, without warnings', (name) => {
  const parsed = parseDescriptor(readFileSync(new URL(name, FOLDER)));
  const { violations, warnings } = validateDescriptor(parsed.ok ? parsed.value : parsed, { development: true });
  expect([...violations, ...warnings]).toEqual([]);
});
