import { describe, expect, it } from 'vitest';
import { isValid } from './schema/is-valid.ts';
import { WebhookEnvelope } from './webhook.ts';

const ID = '0199a5b0-0000-7000-8000-00000000000a';
const isTaken = (changed: object) =>
  isValid(WebhookEnvelope, {
    type: 'ping',
    delivery_id: ID,
    agent_id: ID,
    created_at: '2026-01-01T00:00:00.000Z',
    data: {},
    ...changed,
  });

describe('TR-5 the body of a delivery', () => {
  it.each([
    '2026-01-01T00:00:00Z',
    '2026-12-31T23:59:59.123456789Z',
    '2024-02-29T12:00:00.000+08:00',
    '2026-10-20T20:10:09-23:59',
    '2016-12-31T23:59:60Z',
  ])('TR-5 takes the time %s', (created_at) => {
    expect(isTaken({ created_at })).toBe(true);
  });

  it.each([
    '2026-13-41T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-01T25:61:61Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+08:60',
    '2026-01-01T00:00:00',
    '2026-01-01t00:00:00z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00Z\n',
  ])('TR-5 refuses the impossible or foreign time %j', (created_at) => {
    expect(isTaken({ created_at })).toBe(false);
  });

  it('TR-5 takes ids in lower case only', () => {
    expect(isTaken({ delivery_id: ID.toUpperCase() })).toBe(false);
    expect(isTaken({ agent_id: ID.toUpperCase() })).toBe(false);
  });
});
