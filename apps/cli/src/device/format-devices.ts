import type { DeviceView } from '@parley/client';
import { displayName } from '../display.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';

export const toDeviceJson = ({ deviceId, name, createdAt, current, listed, keeper, cutOff }: DeviceView) => ({
  device_id: deviceId,
  name,
  // The server no longer tells of a device that it has shut out.
  created_at: createdAt === '' ? null : createdAt,
  current,
  listed,
  keeper,
  cut_off: cutOff,
});

export function formatDevices(list: readonly DeviceView[], words: Words, paint: Paint): string {
  return list
    .map((device) => {
      const { deviceId, name, createdAt } = device;
      const note = describe(device, words, paint).join(words.say('list.separator'));
      const shown = name === deviceId ? words.say('device.unnamed') : displayName(name);
      const date = createdAt === '' ? '' : `  ${createdAt.slice(0, 10)}`;
      return `${paint('bold', shown)}${date}${note === '' ? '' : `  (${note})`}\n  ${paint('dim', deviceId)}\n`;
    })
    .join('');
}

function describe({ current, listed, keeper, cutOff }: DeviceView, words: Words, paint: Paint): string[] {
  return [
    ...(current ? [words.say('device.this')] : []),
    ...(keeper ? [words.say('device.keeper')] : []),
    ...(listed ? [] : [paint('yellow', words.say('device.pending'))]),
    ...(cutOff ? [paint('yellow', words.say('device.cut_off'))] : []),
  ];
}
