/** What happens to the processes, round by round. */
const KILLS = ['first', 'second', 'both', 'first', 'second', 'drain-first', 'drain-second'];

/**
 * `first` holds the embedded Postgres, which a killed server leaves behind and the next one stops and starts again.
 * In the middle Postgres itself is killed, later it is told to restart. The rest is chosen by the seed.
 */
export function makePlan(rounds, random) {
  const plan = Array.from({ length: rounds }, () => random.pick(KILLS));
  const put = (index, action) => {
    if (index >= 0 && index < rounds) plan[index] = action;
  };
  put(0, 'first');
  put(rounds - 1, 'both');
  put(Math.ceil(rounds / 2) - 1, 'postgres-kill');
  put(Math.ceil((3 * rounds) / 4) - 1, 'postgres-restart');
  return plan;
}
