import { passkeyRoutes, type ReplyOf } from '@parley/protocol';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { openAccountApi } from './api.ts';
import { askWhenStale } from './fresh.ts';
import { chooseServer } from './server-url.ts';

interface PasskeyOptions {
  readonly url?: string;
  readonly remove?: string;
  /** Where it was not given lately, it is a line of standard input. */
  readonly passwordStdin?: boolean;
}

export type Passkey = ReplyOf<typeof passkeyRoutes.listPasskeys>['passkeys'][number];

/** Lists the passkeys of the account, or removes one. Adding one needs a browser. */
export async function passkeys(options: PasskeyOptions, words: Words): Promise<CommandResult> {
  const { url, remove } = options;
  const api = askWhenStale(openAccountApi(chooseServer(url), 'parley'), options, words);
  if (remove !== undefined) {
    await api.call(passkeyRoutes.deletePasskey, { params: { passkey_id: remove } });
    const text = words.say('account.passkey_removed');
    return {
      exit: EXIT.fine,
      json: { removed: remove },
      text: (paint) => `${paint('green', '✓')} ${text}\n`,
    };
  }
  const { passkeys: list } = await api.call(passkeyRoutes.listPasskeys);
  return { exit: EXIT.fine, json: { passkeys: list }, text: (paint) => format(list, words, paint) };
}

function format(list: readonly Passkey[], words: Words, paint: Paint): string {
  if (list.length === 0) return `${words.say('account.no_passkeys')}\n`;
  const lines = list.map((passkey) => {
    const { passkey_id, name } = passkey;
    return `${paint('bold', displayName(name))}  ${describePasskey(passkey, words)}\n  ${paint('dim', passkey_id)}\n`;
  });
  return lines.join('');
}

/** When it was made and last used. */
export function describePasskey({ created_at, used_at }: Passkey, words: Words): string {
  const made = words.say('account.passkey_made', { date: created_at.slice(0, 10) });
  const used =
    used_at === null
      ? words.say('account.passkey_unused')
      : words.say('account.passkey_used', { date: used_at.slice(0, 10) });
  return `${made}${words.say('list.separator')}${used}`;
}
