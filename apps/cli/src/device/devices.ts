import type { Device, DeviceView } from '@parley/client';
import { chooseServer } from '../account/server-url.ts';
import { askText, isAtTerminal } from '../ask.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { needDevice } from './approval.ts';
import { openClient } from './open.ts';

export interface DeviceOptions {
  readonly url?: string;
}

/** Opens the device of this machine offline for one operation. */
export async function withDevice<Result>(
  options: DeviceOptions,
  words: Words,
  work: (device: Device) => Promise<Result>,
): Promise<Result> {
  const { client, close } = await openClient(chooseServer(options.url), { words });
  try {
    return await work(needDevice(client));
  } finally {
    await close();
  }
}

export function listDevices(options: DeviceOptions, words: Words): Promise<CommandResult> {
  return withDevice(options, words, async ({ devices }) => {
    await devices.refresh();
    const list = devices.getSnapshot();
    return {
      exit: EXIT.fine,
      json: { devices: list.map(toDeviceJson), can_approve: await devices.canApprove() },
      text: (paint) => formatDevices(list, words, paint),
    };
  });
}

export function approveDevice(
  id: string,
  options: DeviceOptions & { code?: string },
  words: Words,
): Promise<CommandResult> {
  return withDevice(options, words, async ({ devices }) => {
    const device = await find(devices, id);
    if (options.code === undefined && !isAtTerminal()) {
      throw new CommandError('USAGE', { sentences: [{ key: 'device.code_needed' }] });
    }
    await devices.approve(device.deviceId, options.code ?? (await askText('device.ask_code', words)));
    return {
      exit: EXIT.fine,
      json: { device_id: device.deviceId, approved: true },
      text: (paint) => `${paint('green', '✓')} ${words.say('device.approved', { name: device.name })}\n`,
    };
  });
}

export function revokeDevice(id: string, options: DeviceOptions, words: Words): Promise<CommandResult> {
  return withDevice(options, words, async ({ devices }) => {
    const device = await find(devices, id);
    await devices.revoke(device.deviceId);
    return {
      exit: EXIT.fine,
      json: { device_id: device.deviceId, revoked: true },
      text: (paint) => `${paint('green', '✓')} ${words.say('device.revoked', { name: device.name })}\n`,
    };
  });
}

/** Finds a device by its id or a unique beginning of it. */
async function find(devices: Device['devices'], id: string): Promise<DeviceView> {
  await devices.refresh();
  const found = devices.getSnapshot().filter(({ deviceId }) => deviceId.startsWith(id));
  if (found.length !== 1)
    throw new CommandError('UNKNOWN_DEVICE', {
      exit: EXIT.bad,
      sentences: [{ key: 'device.unknown', params: { id } }],
    });
  return found[0]!;
}

const toDeviceJson = ({ deviceId, name, createdAt, current, certified }: DeviceView) => ({
  device_id: deviceId,
  name,
  created_at: createdAt,
  current,
  certified,
});

export function formatDevices(list: readonly DeviceView[], words: Words, paint: Paint): string {
  return list
    .map(({ deviceId, name, createdAt, current, certified }) => {
      const marks = [
        current ? words.say('device.this') : '',
        certified ? '' : paint('yellow', words.say('device.pending')),
      ];
      const note = marks.filter((mark) => mark !== '').join(words.say('list.separator'));
      const date = createdAt.slice(0, 10);
      return `${paint('bold', name)}  ${date}${note === '' ? '' : `  (${note})`}\n  ${paint('dim', deviceId)}\n`;
    })
    .join('');
}
