const COLUMNS = [
  ['attack', 14],
  ['quiet', 8],
  ['ack', 9],
  ['p95', 9],
  ['slowest', 9],
  ['times', 7],
  ['webhook', 9],
  ['newcomer', 9],
  ['recovered', 13],
  ['memory', 8],
  ['', 6],
];

const write = (cells) =>
  cells
    .map((cell, index) => String(cell).padEnd(COLUMNS[index][1]))
    .join('')
    .trimEnd();
const ms = (value) =>
  value === null ? '–' : value >= 1_000 ? `${(value / 1_000).toFixed(1)} s` : `${Math.round(value)} ms`;

export const formatHead = () => write(COLUMNS.map(([name]) => name));

/** Of webhooks and newcomers the 95th percentile, by which they are judged. */
export const formatRow = ({ name, quiet_ms, ack_ms, ratio, webhook_ms, newcomer_ms, recovery_ms, memory_mb, faults }) =>
  write([
    name,
    ms(quiet_ms.median),
    ms(ack_ms.median),
    ms(ack_ms.p95),
    ms(ack_ms.slowest),
    ratio ?? '–',
    ms(webhook_ms.p95),
    ms(newcomer_ms.p95),
    recovery_ms === null ? 'not in 30 s' : ms(recovery_ms),
    `${memory_mb} MB`,
    faults.length === 0 ? 'held' : 'MISSED',
  ]);
