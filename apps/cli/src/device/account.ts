import { isAtTerminal } from '../ask.ts';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';
import { type DeviceOptions, needKeeper, withDevice } from './devices.ts';
import { readRecoverySecret } from './read-secret.ts';

/** Replaces the account key (EE-17). */
export function rotateKey(options: DeviceOptions, words: Words): Promise<CommandResult> {
  return withDevice(options, words, async (device) => {
    const { devices } = device;
    await needKeeper(device);
    await devices.rotateKey();
    const keepers = devices.getSnapshot().filter(({ keeper }) => keeper).length;
    return {
      exit: EXIT.fine,
      json: { rotated: true, keepers },
      text: (paint) => `${paint('green', '✓')} ${words.say('account.rotated', { n: keepers })}\n`,
    };
  });
}

/** Says with the recovery secret which of two device lists holds: the one that this device knows (EE-17). */
export function settleAccount(file: string | undefined, options: DeviceOptions, words: Words): Promise<CommandResult> {
  return withDevice(options, words, async ({ devices }) => {
    if (isAtTerminal()) await show(process.stderr, () => `${words.say('account.settle_explained')}\n`);
    await devices.settle(await readRecoverySecret(file, words));
    const count = devices.getSnapshot().filter(({ listed }) => listed).length;
    return {
      exit: EXIT.fine,
      json: { settled: true, devices: count },
      text: (paint) => `${paint('green', '✓')} ${words.say('account.settled', { n: count })}\n`,
    };
  });
}
