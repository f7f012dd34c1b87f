import { validateDescriptor } from '@parley/documents/skill';
import { expect, it } from 'vitest';
import { EXAMPLE } from './example.ts';

it('SD-1 the example to start from has nothing wrong with it', () => {
  expect(validateDescriptor(EXAMPLE)).toMatchObject({ valid: true, violations: [], warnings: [] });
});
