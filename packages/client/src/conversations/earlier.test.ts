import type { Problem } from '@parley/messenger';
import { describe, expect, it } from 'vitest';
import { findListing } from '../account/find-listing.ts';
import { isFromBefore } from '../dispatch.ts';

type Unopened = Extract<Problem, { kind: 'undecryptable' }>;

const LISTED = '2026-01-02T00:00:00.000Z';
const unopened = (change: Partial<Unopened> & { readonly at?: string }): Unopened => ({
  kind: 'undecryptable',
  header: { created_at: change.at ?? '2026-01-01T00:00:00.000Z' } as Unopened['header'],
  messageId: 'm',
  seq: 1,
  reason: 'not_addressed',
  isAddressed: false,
  ...change,
});

describe('WC-38 what was written before this device was listed', () => {
  const device = { listedAt: LISTED, isEarlier: false };

  it.each(['not_addressed', 'group_key_unknown', 'downgraded'])('%s is no loss', (reason) => {
    expect(isFromBefore(unopened({ reason }), device)).toBe(true);
  });

  it.each(['sender', 'signature'])('%s is no loss where its number is older than what this device saw', (reason) => {
    expect(isFromBefore(unopened({ reason }), { ...device, isEarlier: true })).toBe(true);
  });

  it.each(['sender', 'signature'])(
    'attack: the server takes out the part for this device and backdates it: %s',
    (reason) => {
      expect(isFromBefore(unopened({ reason }), device)).toBe(false);
    },
  );

  it('the clock of the sender may be a little ahead', () => {
    expect(isFromBefore(unopened({ at: '2026-01-02T00:04:00.000Z' }), device)).toBe(true);
  });

  it.each<[string, Parameters<typeof unopened>[0], string | undefined]>([
    [
      'attack: the server hides a new device from those who write, so that nothing is for it',
      { at: '2026-01-02T00:06:00.000Z' },
      LISTED,
    ],
    [
      'attack: a message that was for this device was altered on its way',
      { reason: 'signature', isAddressed: true },
      LISTED,
    ],
    [
      'attack: a revoked device is heard of in the first minutes of this one',
      { reason: 'sender', at: '2026-01-02T00:01:00.000Z' },
      LISTED,
    ],
    ['attack: what opens to something else than it says', { reason: 'content' }, LISTED],
    ['attack: a time that is none', { at: 'yesterday' }, LISTED],
    ['what nobody knows the device’s age for', {}, undefined],
  ])('%s is a loss', (_, change, listedAt) => {
    expect(isFromBefore(unopened(change), { listedAt, isEarlier: true })).toBe(false);
  });

  it('a device is as old as the statement that put it into the list', () => {
    const statements = [
      { action: 'create', created_at: '1', devices: [{ device_id: 'a' }] },
      { action: 'keep', created_at: '2', box: { device_id: 'b' } },
      { action: 'add', created_at: '3', device: { device_id: 'b' } },
      { action: 'recover', created_at: '4', devices: [{ device_id: 'c' }] },
    ] as unknown as Parameters<typeof findListing>[0];
    expect(['a', 'b', 'c', 'd'].map((id) => findListing(statements, id))).toEqual(['1', '3', '4', undefined]);
  });
});
