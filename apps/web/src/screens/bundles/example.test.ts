import { validateBundle } from '@parley/documents/bundle';
import { expect, it } from 'vitest';
import { EXAMPLE } from './example.ts';

it('BV-2 the example to start from passes all six levels', () => {
  expect(validateBundle(EXAMPLE)).toMatchObject({ valid: true, passedLevels: 6, warnings: [] });
});
