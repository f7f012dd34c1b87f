import { type Client, type Device, type LoginSessionState, waitUntil } from '@parley/client';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-code.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';

const SPIN = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SPIN_MS = 120;

/** Returns an approved device, or throws an error that says what it waits for. */
export function needDevice(client: Client): Device {
  const session = client.session.getSnapshot();
  if (session.state === 'ready') return session.device;
  if (session.state === 'signed_out')
    throw new CommandError('SIGNED_OUT', { exit: EXIT.bad, sentences: [{ key: 'device.signed_out' }] });
  if (session.state === 'opening')
    throw new CommandError('UNREACHABLE', { exit: EXIT.environment, sentences: [{ key: 'device.opening' }] });
  if (session.state === 'unfounded')
    throw new CommandError('ACCOUNT_UNFOUNDED', { exit: EXIT.bad, sentences: [{ key: 'device.unfounded' }] });
  if (session.state === 'revoked')
    throw new CommandError('DEVICE_REVOKED', { exit: EXIT.bad, sentences: [{ key: 'device.was_revoked' }] });
  const { code, deviceId: id } = session;
  throw new CommandError('DEVICE_WAITS', {
    exit: EXIT.bad,
    sentences: [{ key: 'device.waits', params: { id, code } }],
  });
}

/** Shows the code and waits until a keeper has approved (EE-16). After Ctrl-C the device can still be approved. */
export async function awaitApproval(client: Client, words: Words): Promise<Device> {
  const session = client.session.getSnapshot();
  if (session.state !== 'waiting') return needDevice(client);
  const { code, deviceId: id } = session;
  await show(process.stderr, (paint) => `${words.say('device.waits', { id, code: paint('bold', code) })}\n`);
  const stop = spin(words.say('device.waiting'));
  try {
    const ended = await withInterrupt('device.waits_on', (signal) => untilSettled(client, signal));
    if (ended.state === 'ready') return ended.device;
    throw new CommandError('DEVICE_REVOKED', { exit: EXIT.bad, sentences: [{ key: 'device.refused' }] });
  } finally {
    stop();
  }
}

function untilSettled(client: Client, signal: AbortSignal): Promise<LoginSessionState> {
  const settled = waitUntil(client.session, ({ state }) => state !== 'waiting');
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([settled, interrupted]);
}

function spin(text: string): () => void {
  const { stderr } = process;
  if (!stderr.isTTY) return () => {};
  let turn = 0;
  const timer = setInterval(() => stderr.write(`\r${SPIN[turn++ % SPIN.length]} ${text}`), SPIN_MS);
  return () => {
    clearInterval(timer);
    stderr.write('\r\u001b[K');
  };
}
