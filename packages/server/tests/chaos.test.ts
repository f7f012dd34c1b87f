import { beforeAll, describe, expect, it } from 'vitest';
import { type ChaosReport, runChaos } from '../../../scripts/chaos/run.mjs';

let report: ChaosReport;

beforeAll(async () => {
  report = await runChaos({ rounds: 3, seed: 3, pace: 3, restMs: [300, 1_000] });
}, 360_000);

const faultsOf = (...rules: string[]) => report.faults.filter(({ rule }) => rules.includes(rule));

/** The short form of `npm run chaos`: the built servers, killed with their Postgres under load. */
describe('servers and Postgres killed under load', () => {
  it('TR-3 no acknowledged message is lost, changed, stored twice or out of number', () => {
    expect(faultsOf('TR-3', 'run', 'drain')).toEqual([]);
    expect(report.kills).toEqual({ first: 1, 'postgres-kill': 1, 'postgres-restart': 1 });
    expect(report.acked).toBe(report.messages);
    expect(report.acked).toBeGreaterThan(50);
  });

  it('TR-2 whoever resumes from where it stands loses nothing and handles nothing twice', () => {
    expect(faultsOf('TR-2')).toEqual([]);
    expect(report.reconnects).toBeGreaterThan(0);
    expect(report.handled).toBeGreaterThan(50);
  });

  it('TR-3 a sender that repeats until it is answered is refused nothing', () => {
    expect(faultsOf('TR-1', 'TR-7')).toEqual([]);
    expect(report.retries).toBeGreaterThan(0);
  });

  it('RL-4 every accepted PATCH is one version, however often it was repeated', () => {
    expect(faultsOf('RL-4')).toEqual([]);
    expect(report.versions).toBeGreaterThan(3);
  });
});
