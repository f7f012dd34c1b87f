/** The bar of OP-3 and OP-4: a message is acknowledged within so many times its quiet median, a webhook delivered in time. */
export const BAR = { ratio: 10, webhookMs: 2_000, newcomerMs: 2_000 };

/** A quiet median below this is timer noise, and ten times as much still unnoticeable. */
const LEAST_QUIET_MS = 3;

export function quantile(values, share) {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

export const summarise = (values) => ({
  median: quantile(values, 0.5),
  p95: quantile(values, 0.95),
  slowest: values.length === 0 ? undefined : Math.max(...values),
  count: values.length,
});

export const ratioOf = (quiet, attacked) =>
  quiet.median === undefined || attacked.median === undefined
    ? undefined
    : attacked.median / Math.max(LEAST_QUIET_MS, quiet.median);

/** What the innocent would complain about, empty where the bar was held. */
export function judge({ quiet, ack, webhook, newcomer, ended, guardsNewcomers = false }) {
  const faults = [];
  const ms = (value) => `${Math.round(value)} ms`;
  if (ended !== undefined) faults.push(`the server ended: ${ended}`);
  const ratio = ratioOf(quiet, ack);
  if (ratio === undefined) faults.push('no message was sent');
  else if (ratio > BAR.ratio) faults.push(`acks took ${ms(ack.median)}, ${ratio.toFixed(1)} times the quiet median`);
  if (webhook.p95 === undefined) faults.push('no webhook was due');
  else if (webhook.p95 > BAR.webhookMs) faults.push(`webhooks took ${ms(webhook.p95)}`);
  if (guardsNewcomers && !(newcomer.p95 <= BAR.newcomerMs)) faults.push(`newcomers waited ${ms(newcomer.p95)}`);
  return faults;
}
