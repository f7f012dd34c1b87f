import { authRoutes } from '@parley/protocol';
import { askHidden, askNewSecret, askYesNo, isAtTerminal, readSecretLines, requireTerminal } from '../ask.ts';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';
import { createAnonymousApi } from './api.ts';
import { chooseServer } from './server-url.ts';

interface ResetOptions {
  readonly url?: string;
  /** Where a link is sent first. */
  readonly email?: string;
  /** Without it the person is asked; where they are not, passkeys end. */
  readonly endPasskeys?: boolean;
  /** The link or its code, and the new password, are two lines of standard input. */
  readonly stdin?: boolean;
}

/** Sets a new password with a link from an e-mail or from an operator (AC-9). */
export async function resetPassword(options: ResetOptions, words: Words): Promise<CommandResult> {
  const api = createAnonymousApi(chooseServer(options.url));
  const { email, stdin = false } = options;
  if (email !== undefined) {
    await api.call(authRoutes.requestPasswordReset, { body: { email } });
    if (!stdin && !isAtTerminal()) {
      const text = words.say('account.reset_sent');
      return { exit: EXIT.fine, json: { requested: true, reset: false }, text: () => `${text}\n` };
    }
    await show(process.stderr, () => `${words.say('account.reset_sent')}\n`);
  }
  if (!stdin) requireTerminal();
  const [given, password] = stdin
    ? await readSecretLines(2)
    : [
        await askHidden('account.ask.reset_link', words, 'account.unchanged'),
        await askNewSecret('account.ask.new_password', words),
      ];
  const endPasskeys = options.endPasskeys ?? (stdin || (await askToEnd(words)));
  const body = { code: readCode(given!), new_password: password!, keep_passkeys: !endPasskeys };
  await api.call(authRoutes.resetPassword, { body });
  return {
    exit: EXIT.fine,
    json: { requested: email !== undefined, reset: true },
    text: (paint) => {
      const passkeys = endPasskeys ? `${words.say('account.reset_passkeys')}\n` : '';
      return `${paint('green', '✓')} ${words.say('account.reset')}\n${passkeys}`;
    },
  };
}

/** Nobody is signed in, so which ones there are is not known. */
const askToEnd = (words: Words) =>
  askYesNo(words.say('account.ask.reset_passkeys'), words, { initial: true, cancelled: 'account.unchanged' });

/** People copy the whole link. */
function readCode(text: string): string {
  const trimmed = text.trim();
  return URL.canParse(trimmed) ? new URL(trimmed).hash.slice(1) : trimmed;
}
