import { expect, test } from 'vitest';
import { createWakeSignal } from './wake-signal.ts';

const never = () => new AbortController().signal;

test('TR-4 a notification that comes while nobody waits is not lost, and counts once', async () => {
  const signal = createWakeSignal();
  signal.notify();
  signal.notify();
  expect(await signal.wait(never())).toBe(true);
  const second = new AbortController();
  const waiting = signal.wait(second.signal);
  second.abort();
  expect(await waiting).toBe(false);
});

test('TR-4 a wait ends with a notification, or with its signal', async () => {
  const signal = createWakeSignal();
  const waiting = signal.wait(never());
  signal.notify();
  expect(await waiting).toBe(true);
  expect(await signal.wait(AbortSignal.abort())).toBe(false);
});

test('TR-4 a stream that lives for days does not gather listeners', async () => {
  const signal = createWakeSignal();
  const controller = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = controller.signal;
  controller.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(controller.signal, args);
  };
  controller.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(controller.signal, args);
  };
  for (let turn = 0; turn < 10; turn++) {
    const waiting = signal.wait(controller.signal);
    signal.notify();
    await waiting;
  }
  expect(listeners).toBe(0);
});
