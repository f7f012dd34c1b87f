import { formatDevices } from '../../device/format-devices.ts';
import { displaySentence } from '../../display.ts';
import type { ChatContext } from './chat-context.ts';
import { isYes } from './review.ts';

export async function listDevices({ device, screen, words, paint }: ChatContext): Promise<void> {
  await device.devices.refresh();
  screen.print(formatDevices(device.devices.getSnapshot(), words, paint));
}

/** Lets a waiting device in, while this process holds the keystore. */
export async function approveDevice(id: string, { device, screen, words, paint }: ChatContext): Promise<void> {
  const { devices, deviceId: ownId } = device;
  await devices.refresh();
  const found = devices.getSnapshot().filter(({ deviceId, current }) => !current && deviceId.startsWith(id));
  const [waiting] = found;
  if (waiting === undefined || found.length > 1) {
    return screen.print(words.say('device.unknown', { id: displaySentence(id) }));
  }
  if (!(await devices.isKeeper())) return screen.print(words.say('device.not_keeper', { id: ownId }));
  const { deviceId, name } = waiting;
  const code = await screen.ask({ label: `${words.say('device.ask_code')} ` });
  if (code === undefined || code.trim() === '') return screen.print(words.say('device.not_approved'));
  const answer = await screen.ask({
    label: `${words.say('device.ask_keeper', { name })} ${words.say('chat.yes_no')} `,
  });
  if (answer === undefined) return screen.print(words.say('device.not_approved'));
  const keeper = isYes(answer);
  await devices.approve(deviceId, code, { keeper });
  const key = keeper ? 'device.approved_keeper' : 'device.approved';
  screen.print(`${paint('green', '✓')} ${words.say(key, { name })}`);
}
