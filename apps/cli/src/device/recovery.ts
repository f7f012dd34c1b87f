import { isParleyError } from '@parley/base';
import type { Client, Device } from '@parley/client';
import { chooseServer } from '../account/server-url.ts';
import { askHidden, askYesNo, isAtTerminal, readSecretLine } from '../ask.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { STDIN } from '../input.ts';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';
import { refuseExisting, writeFileAtomically } from '../write-file.ts';
import { needDevice } from './approval.ts';
import { type DeviceOptions, withDevice } from './devices.ts';
import { openClient } from './open.ts';
import { readRecoverySecret } from './read-secret.ts';

export interface RecoveryOptions extends DeviceOptions {
  readonly passphraseStdin?: boolean;
  /** Does not ask before the other devices are removed. */
  readonly yes?: boolean;
}

/** Writes the recovery secret to a file; then this device forgets it (EE-17). */
export function saveRecovery(file: string, options: DeviceOptions, words: Words): Promise<CommandResult> {
  return withDevice(options, words, async ({ devices }) => {
    refuseToReplace(file);
    const secret = await needSecret(devices);
    writeFileAtomically(file, `${secret}\n`, false, 0o600);
    await devices.confirmRecoverySaved();
    const shown = { file: displayName(file) };
    return {
      exit: EXIT.fine,
      json: { file, saved: true },
      text: (paint) => `${paint('green', '✓')} ${words.say('recovery_secret.saved', shown)}\n`,
    };
  });
}

function refuseToReplace(file: string): void {
  try {
    refuseExisting(file, false);
  } catch (error) {
    if (!isParleyError(error, 'FILE_EXISTS')) throw error;
    throw new CommandError('FILE_EXISTS', { sentences: [{ key: 'recovery_secret.file_exists', params: { file } }] });
  }
}

/** Shows the recovery secret to a person who writes it down. It is never printed where a program could read it. */
export function showRecovery(options: DeviceOptions, words: Words): Promise<CommandResult> {
  if (options.json || !isAtTerminal()) {
    throw new CommandError('USAGE', { sentences: [{ key: 'recovery_secret.needs_terminal' }] });
  }
  return withDevice(options, words, async ({ devices }) => {
    const secret = await needSecret(devices);
    await show(process.stderr, (paint) => `${words.say('recovery_secret.shown', { secret: paint('bold', secret) })}\n`);
    const isSaved = await askYesNo(words.say('recovery_secret.ask_saved'), words, {
      cancelled: 'recovery_secret.kept',
    });
    if (isSaved) await devices.confirmRecoverySaved();
    const text = words.say(isSaved ? 'recovery_secret.forgotten' : 'recovery_secret.kept');
    return { exit: EXIT.fine, json: { saved: isSaved }, text: () => `${text}\n` };
  });
}

/**
 * The list is read first: a device of the version before makes it, and the secret with it; and the secret of one that
 * another device was faster to make is of no use.
 */
async function needSecret(devices: Device['devices']): Promise<string> {
  await devices.refresh();
  const secret = await devices.recoverySecret();
  if (secret === undefined) throw new CommandError('RECOVERY_NOT_HERE');
  return secret;
}

/** Lets a waiting device in with the recovery secret, when no other is left. */
export async function applyRecovery(
  file: string | undefined,
  options: RecoveryOptions,
  words: Words,
): Promise<CommandResult> {
  if (options.passphraseStdin && (file === undefined || file === STDIN)) {
    throw new CommandError('USAGE', { sentences: [{ key: 'recovery_secret.passphrase_needs_file' }] });
  }
  const { client, close } = await openClient(chooseServer(options.url), { words });
  try {
    refuseReady(client);
    const secret = await readRecoverySecret(file, words);
    const isOldFile = secret.startsWith('{');
    if (!isOldFile) await confirmRemoval(options, words);
    const passphrase = isOldFile ? await readPassphrase(options, words) : undefined;
    await client.recover({ secret, passphrase });
    const { deviceName, deviceId } = needDevice(client);
    const lines = [
      words.say('recovery_secret.used', { name: displayName(deviceName) }),
      ...(isOldFile ? [] : [words.say('recovery_secret.used_more')]),
    ];
    return {
      exit: EXIT.fine,
      json: { device_id: deviceId, state: 'ready', others_removed: !isOldFile },
      text: (paint) => `${paint('green', '✓')} ${lines.join('\n')}\n`,
    };
  } finally {
    await close();
  }
}

/** Only a waiting device is recovered. Any other state has its own sentence. */
function refuseReady(client: Client): void {
  const { state } = client.session.getSnapshot();
  if (state === 'ready') throw new CommandError('DEVICE_READY');
  if (state !== 'waiting') needDevice(client);
}

async function confirmRemoval({ yes = false, json = false }: RecoveryOptions, words: Words): Promise<void> {
  if (yes || json || !isAtTerminal()) return;
  await show(process.stderr, () => `${words.say('recovery_secret.explained')}\n`);
  if (!(await askYesNo(words.say('recovery_secret.ask_use'), words))) throw new CommandError('DECLINED');
}

/** Of a recovery file that a version before this one wrote. */
function readPassphrase({ passphraseStdin = false }: RecoveryOptions, words: Words): Promise<string> {
  if (passphraseStdin) return readSecretLine();
  if (!isAtTerminal()) throw new CommandError('USAGE', { sentences: [{ key: 'recovery_secret.passphrase_missing' }] });
  return askHidden('recovery_secret.ask_passphrase', words, 'recovery_secret.left');
}
