/**
 * The bar of OP-3 and OP-4: half of the messages are acknowledged within so many times the quiet median, 95 of 100 in time and
 * none much later; webhooks are delivered in time, and none much later; afterwards all is soon as before.
 */
export const BAR = {
  ratio: 10,
  ackMs: 2_000,
  stallMs: 5_000,
  webhookMs: 2_000,
  newcomerMs: 2_000,
  recoveryMs: 30_000,
};

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
export function judge({ quiet, ack, webhook, newcomer, recovery, ended, guardsNewcomers = false }) {
  const faults = [];
  const ms = (value) => `${Math.round(value)} ms`;
  if (ended !== undefined) faults.push(`the server ended: ${ended}`);
  const ratio = ratioOf(quiet, ack);
  if (ratio === undefined) faults.push('no message was sent');
  else if (ratio > BAR.ratio) faults.push(`acks took ${ms(ack.median)}, ${ratio.toFixed(1)} times the quiet median`);
  if (ack.p95 > BAR.ackMs) faults.push(`1 of 20 acks took ${ms(ack.p95)} or longer`);
  if (ack.slowest > BAR.stallMs) faults.push(`an ack took ${ms(ack.slowest)}`);
  if (webhook.p95 === undefined) faults.push('no webhook was due');
  else if (webhook.p95 > BAR.webhookMs) faults.push(`webhooks took ${ms(webhook.p95)}`);
  if (webhook.slowest > BAR.stallMs) faults.push(`a webhook took ${ms(webhook.slowest)} or never came`);
  if (recovery === undefined && ended === undefined)
    faults.push(`it was not as before ${BAR.recoveryMs / 1_000} s after the attack`);
  if (guardsNewcomers && !(newcomer.p95 <= BAR.newcomerMs)) faults.push(`newcomers waited ${ms(newcomer.p95)}`);
  return faults;
}
