import { authRoutes, passkeyRoutes } from '@parley/protocol';
import { askHidden, askNewSecret, askYesNo, isAtTerminal, readSecretLines, requireTerminal } from '../ask.ts';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { openAccountApi } from './api.ts';
import { chooseServer } from './server-url.ts';

interface ChangeOptions {
  readonly url?: string;
  readonly endPasskeys?: boolean;
  /** The old and the new password are two lines of standard input. */
  readonly stdin?: boolean;
}

/** Changes the password; all other sessions end, and the passkeys if the person says so. */
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
  const ends = options.endPasskeys ?? (await askToEnd(passkeys.length, options, words));
  const end_passkeys = ends ? passkeys.map(({ passkey_id }) => passkey_id) : [];
  const body = { account_password: old!, new_password: next!, end_passkeys };
  await api.call(authRoutes.changePassword, { body });
  const text = words.say(ends && passkeys.length > 0 ? 'account.changed_without_passkeys' : 'account.changed');
  return {
    exit: EXIT.fine,
    json: { changed: true, passkeys_ended: end_passkeys.length },
    text: (paint) => `${paint('green', '✓')} ${text}\n`,
  };
}

async function askToEnd(count: number, { stdin }: ChangeOptions, words: Words): Promise<boolean> {
  if (count === 0 || stdin || !isAtTerminal()) return false;
  return askYesNo(words.say('account.ask.end_passkeys', { n: count }), words, { initial: true });
}
