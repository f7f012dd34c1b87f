import type { Device, DeviceView } from '@parley/client';
import { chooseServer } from '../account/server-url.ts';
import { askText, askYesNo, isAtTerminal } from '../ask.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { needDevice } from './approval.ts';
import { formatDevices, toDeviceJson } from './format-devices.ts';
import { openClient } from './open.ts';

export interface DeviceOptions {
  readonly url?: string;
  readonly json?: boolean;
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
      json: { devices: list.map(toDeviceJson), is_keeper: await devices.isKeeper() },
      text: (paint) => formatDevices(list, words, paint),
    };
  });
}

export interface ApproveOptions extends DeviceOptions {
  readonly code?: string;
  /** Whether the new device may add and remove devices, too. Asked for if it is missing. */
  readonly keeper?: boolean;
}

export function approveDevice(id: string, options: ApproveOptions, words: Words): Promise<CommandResult> {
  return withDevice(options, words, async (device) => {
    const { devices } = device;
    const { deviceId, name } = await find(devices, id);
    await needKeeper(device);
    const code = options.code ?? (await askCode(words));
    const keeper = options.keeper ?? (await askKeeper(options, words, name));
    await devices.approve(deviceId, code, { keeper });
    return {
      exit: EXIT.fine,
      json: { device_id: deviceId, approved: true, keeper },
      text: (paint) =>
        `${paint('green', '✓')} ${words.say(keeper ? 'device.approved_keeper' : 'device.approved', { name })}\n`,
    };
  });
}

async function askCode(words: Words): Promise<string> {
  if (!isAtTerminal()) throw new CommandError('USAGE', { sentences: [{ key: 'device.code_needed' }] });
  return askText('device.ask_code', words, { cancelled: 'device.not_approved' });
}

/** Where nobody can be asked, a device gets no more than it needs. */
async function askKeeper({ json = false }: ApproveOptions, words: Words, name: string): Promise<boolean> {
  if (json || !isAtTerminal()) return false;
  const question = words.say('device.ask_keeper', { name });
  return askYesNo(question, words, { initial: true, cancelled: 'device.not_approved' });
}

/** Lets another device keep the account key, too (EE-17). */
export function keepDevice(id: string, options: DeviceOptions, words: Words): Promise<CommandResult> {
  return withDevice(options, words, async (device) => {
    const { devices } = device;
    const { deviceId, name, listed } = await find(devices, id);
    await needKeeper(device);
    if (!listed) throw new CommandError('DEVICE_NOT_LISTED', { params: { name, id: deviceId } });
    await devices.makeKeeper(deviceId);
    return {
      exit: EXIT.fine,
      json: { device_id: deviceId, keeper: true },
      text: (paint) => `${paint('green', '✓')} ${words.say('device.kept', { name })}\n`,
    };
  });
}

export function revokeDevice(id: string, options: DeviceOptions, words: Words): Promise<CommandResult> {
  return withDevice(options, words, async (device) => {
    const { devices } = device;
    const { deviceId, name, current, listed, cutOff } = await find(devices, id);
    if (current) throw new CommandError('DEVICE_IS_THIS');
    // The server has done its part already: what is left has to be signed.
    if (cutOff) await needKeeper(device);
    const signed = listed && (await devices.isKeeper());
    await devices.revoke(deviceId);
    const key = signed || !listed ? 'device.revoked' : 'device.shut_out';
    const unconfirmed = signed ? devices.unaware.getSnapshot() : [];
    const names = unconfirmed.map((one) => one.name).join(words.say('list.separator'));
    const more = unconfirmed.length === 0 ? '' : `${words.say('device.unconfirmed', { names })}\n`;
    return {
      exit: EXIT.fine,
      json: {
        device_id: deviceId,
        revoked: true,
        signed,
        unconfirmed: unconfirmed.map((one) => ({ device_id: one.deviceId, name: one.name })),
      },
      text: (paint) => `${paint('green', '✓')} ${words.say(key, { name, id: deviceId })}\n${more}`,
    };
  });
}

/** Asked before the person types a code in vain. */
export async function needKeeper({ devices, deviceId: id }: Device): Promise<void> {
  if (await devices.isKeeper()) return;
  throw new CommandError('ACCOUNT_KEY_MISSING', {
    exit: EXIT.bad,
    sentences: [{ key: 'device.not_keeper', params: { id } }],
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
