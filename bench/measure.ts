export interface BenchRow {
  name: string;
  detail: string;
  ours: number;
  peer: number;
  unit: 'ops/s' | 'ms' | 'MB';
  /** How many times as fast as the peer we are, whatever the unit. */
  ratio: number;
  aim?: string;
  met?: boolean;
}

const ROUNDS = 15;
const BATCH_MS = 20;
const WARM_UP_MS = 100;

/** The processor time of a call in seconds, one value per round. */
export type Samples = readonly number[];

/**
 * Times functions against each other in one process. The rounds are interleaved and each is begun by another contender, so
 * that a slow moment of the machine or a garbage collection affects all of them.
 */
export function measure<Name extends string>(contenders: Readonly<Record<Name, () => unknown>>): Record<Name, Samples> {
  const entrants = (Object.keys(contenders) as Name[]).map((name) => {
    const run = contenders[name];
    return { name, run, calls: warmUp(run), samples: [] as number[] };
  });
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < entrants.length; turn++) {
      const { run, calls, samples } = entrants[(round + turn) % entrants.length]!;
      samples.push(timeBatch(run, calls) / calls / 1000);
    }
  }
  const times = {} as Record<Name, Samples>;
  for (const { name, samples } of entrants) times[name] = samples;
  return times;
}

/** Compares two contenders of one measurement. `atLeast` is the ratio that we aim at. */
export function compare(
  name: string,
  detail: string,
  pair: { ours: Samples; peer: Samples; atLeast?: number },
): BenchRow {
  const ratio = median(pair.ours.map((seconds, round) => pair.peer[round]! / seconds));
  const row: BenchRow = {
    name,
    detail,
    ours: 1 / median(pair.ours),
    peer: 1 / median(pair.peer),
    unit: 'ops/s',
    ratio,
  };
  return pair.atLeast === undefined ? row : { ...row, aim: `≥ ${pair.atLeast}×`, met: ratio >= pair.atLeast };
}

/** Compares in milliseconds, with an aim for our own time. */
export function compareTimes(
  name: string,
  detail: string,
  pair: { ours: Samples; peer: Samples; underMs?: number },
): BenchRow {
  const row = compare(name, detail, pair);
  const inMs: BenchRow = { ...row, ours: 1000 / row.ours, peer: 1000 / row.peer, unit: 'ms' };
  return pair.underMs === undefined ? inMs : { ...inMs, aim: `< ${pair.underMs} ms`, met: inMs.ours < pair.underMs };
}

function median(values: Samples): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Runs until V8 has optimised the function, and returns how many calls fill a batch. */
function warmUp(run: () => unknown): number {
  let calls = 1;
  let spent = 0;
  for (;;) {
    const took = timeBatch(run, calls);
    spent += took;
    if (spent >= WARM_UP_MS && took >= BATCH_MS / 2) return Math.max(1, Math.round((calls * BATCH_MS) / took));
    if (took < BATCH_MS) calls *= 2;
  }
}

/** Returns milliseconds of processor time, because wall-clock time would also count other processes. */
function timeBatch(run: () => unknown, calls: number): number {
  const start = process.cpuUsage();
  for (let call = 0; call < calls; call++) run();
  const { user, system } = process.cpuUsage(start);
  return Math.max(user + system, 1) / 1000;
}
