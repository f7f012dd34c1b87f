import { describe, expect, it } from 'vitest';
import { runStrangers } from '../../../scripts/chaos/strangers/run.mjs';

/** The short form of `npm run chaos -- strangers`. How quick the server was is not asked: other tests run beside it. */
describe('one stranger against everyone', () => {
  it('OP-3 OP-4 an attack is carried out on the built server while an innocent goes on talking, and judged', async () => {
    const told: string[] = [];
    const [row, ...others] = await runStrangers({
      names: ['acks-1'],
      seconds: 3,
      tell: ({ name }) => void told.push(name),
    });
    expect(others).toEqual([]);
    expect(told).toEqual(['acks-1']);
    expect(row!.faults.filter((fault) => /carried out|ended|was sent|was due/.test(fault))).toEqual([]);
    expect(row!.attacker.sent).toBeGreaterThan(0);
    expect(row!.ack_ms.count).toBeGreaterThan(0);
    expect(row!.webhook_ms.count).toBeGreaterThan(0);
  });
});
