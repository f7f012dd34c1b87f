import { chooseServer } from '../account/server-url.ts';
import { askHidden, askNewSecret, readSecretLine } from '../ask.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { readInput } from '../input.ts';
import type { Words } from '../messages/index.ts';
import { refuseExisting, writeFileAtomically } from '../write-file.ts';
import { needDevice } from './approval.ts';
import { type DeviceOptions, withDevice } from './devices.ts';
import { openClient } from './open.ts';

export interface RecoveryOptions extends DeviceOptions {
  readonly passphraseStdin?: boolean;
}

/** Exports the account key under a passphrase, for the case that no other device is left (EE-14). */
export function createRecovery(file: string, options: RecoveryOptions, words: Words): Promise<CommandResult> {
  return withDevice(options, words, async ({ devices }) => {
    refuseExisting(file, false);
    const passphrase = options.passphraseStdin
      ? await readSecretLine()
      : await askNewSecret('device.ask_new_passphrase', words);
    writeFileAtomically(file, `${await devices.createRecoverySecret(passphrase)}\n`, false, 0o600);
    const shown = { file: displayName(file) };
    return {
      exit: EXIT.fine,
      json: { file },
      text: (paint) => `${paint('green', '✓')} ${words.say('device.recovery_written', shown)}\n`,
    };
  });
}

/** Lets a waiting device approve itself with the recovery secret. */
export async function applyRecovery(file: string, options: RecoveryOptions, words: Words): Promise<CommandResult> {
  const secret = new TextDecoder().decode(await readInput(file)).trim();
  const { client, close } = await openClient(chooseServer(options.url), { words });
  try {
    const passphrase = options.passphraseStdin
      ? await readSecretLine()
      : await askHidden('device.ask_passphrase', words);
    await client.recover({ secret, passphrase });
    const { deviceName, deviceId } = needDevice(client);
    return {
      exit: EXIT.fine,
      json: { device_id: deviceId, state: 'ready' },
      text: (paint) => `${paint('green', '✓')} ${words.say('device.recovered', { name: displayName(deviceName) })}\n`,
    };
  } finally {
    await close();
  }
}
