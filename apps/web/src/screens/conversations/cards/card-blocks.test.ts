import { expect, it } from 'vitest';
import { BlockView } from './card-blocks.tsx';

it('TC-10 attack: a revision with another picture does not go on showing the one before', () => {
  const show = (data: string) => BlockView({ block: { tag: 'image', mime_type: 'image/png', data, alt: 'Invoice' } });
  expect(show('AAAA')!.key).not.toBe(show('BBBB')!.key);
  expect(show('AAAA')!.key).toBe(show('AAAA')!.key);
});
