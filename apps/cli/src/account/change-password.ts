import { authRoutes, passkeyRoutes } from '@parley/protocol';
import { askHidden, askNewSecret, askWhich, readSecretLines, requireTerminal } from '../ask.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { openAccountApi } from './api.ts';
import { showProof } from './credentials.ts';
import { describePasskey, type Passkey } from './passkeys.ts';
import { chooseServer } from './server-url.ts';

interface ChangeOptions {
  readonly url?: string;
  /** All or none of them, without asking which. */
  readonly endPasskeys?: boolean;
  /** The old and the new password are two lines of standard input. */
  readonly stdin?: boolean;
}

/** Changes the password; all other sessions end, and the passkeys that the person leaves ticked (AC-3). */
export async function changePassword(options: ChangeOptions, words: Words): Promise<CommandResult> {
  if (!options.stdin) requireTerminal();
  const api = openAccountApi(chooseServer(options.url), 'parley');
  const { passkeys } = await api.call(passkeyRoutes.listPasskeys);
  const [old, next] = options.stdin
    ? await readSecretLines(2)
    : [
        await askHidden('account.ask.password', words, 'account.unchanged'),
        await askNewSecret('account.ask.new_password', words),
      ];
  const ended = await chooseEnded(passkeys, options, words);
  const keep_passkeys = passkeys.filter((passkey) => !ended.includes(passkey)).map(({ passkey_id }) => passkey_id);
  const body = { account_password: old!, new_password: next!, keep_passkeys, ...showProof(api.baseUrl) };
  await api.call(authRoutes.changePassword, { body });
  const names = ended.map(({ name }) => displayName(name)).join(words.say('list.separator'));
  const text = words.say(ended.length > 0 ? 'account.changed_without_passkeys' : 'account.changed', { names });
  return {
    exit: EXIT.fine,
    json: { changed: true, passkeys_ended: ended.length },
    text: (paint) => `${paint('green', '✓')} ${text}\n`,
  };
}

/** Whoever knew the old password may have added one: unless the person decides otherwise, only this session's own stays. */
async function chooseEnded(
  passkeys: readonly Passkey[],
  { endPasskeys, stdin }: ChangeOptions,
  words: Words,
): Promise<readonly Passkey[]> {
  if (endPasskeys !== undefined) return endPasskeys ? passkeys : [];
  const isEnded = ({ current }: Passkey) => current !== true;
  if (stdin || passkeys.length === 0) return passkeys.filter(isEnded);
  const choices = passkeys.map((passkey) => ({
    value: passkey.passkey_id,
    label: displayName(passkey.name),
    hint: describePasskey(passkey, words),
    chosen: isEnded(passkey),
  }));
  const chosen = await askWhich(words.say('account.ask.end_passkeys'), choices, 'account.unchanged');
  return passkeys.filter(({ passkey_id }) => chosen.includes(passkey_id));
}
