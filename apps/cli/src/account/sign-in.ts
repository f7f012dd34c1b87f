import type { Api } from '@parley/messenger';
import { authRoutes } from '@parley/protocol';
import { askHidden, askNewSecret, askText, isAtTerminal, readSecretLine } from '../ask.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import { createAnonymousApi, startSession } from './api.ts';
import { saveKnownDevice } from './credentials.ts';
import { signIn as signInByCode } from './login.ts';
import type { Tokens } from './login-session.ts';
import { register, signInByPassword } from './password.ts';

export interface SignInOptions {
  readonly email?: string;
  /** Creates an account with this name. */
  readonly name?: string;
  /** Signs in with a code that the person enters in a browser. */
  readonly device?: boolean;
  readonly passwordStdin?: boolean;
  /** The code of an invitation, or its link. */
  readonly invitation?: string;
}

const PROGRAM = 'parley';

/** Signs a person in on this machine: by password if one can be typed, otherwise by a code in a browser. */
export async function signIn(baseUrl: string, options: SignInOptions & { readonly isNew: boolean }, words: Words) {
  const tokens = await chooseWay(createAnonymousApi(baseUrl), options, words);
  const session = startSession(baseUrl, tokens);
  const me = await session.call(authRoutes.me);
  if (tokens.known_device !== undefined) saveKnownDevice(baseUrl, me.email, tokens.known_device);
  return { session, me };
}

async function chooseWay(
  api: Api,
  options: SignInOptions & { readonly isNew: boolean },
  words: Words,
): Promise<Tokens> {
  const { isNew, device = false, passwordStdin = false } = options;
  const byPassword = isNew || passwordStdin || (!device && isAtTerminal());
  if (!byPassword) {
    return withInterrupt('account.interrupted', (signal) => signInByCode(api, { words, program: PROGRAM, signal }));
  }
  const name = isNew ? (options.name ?? (await askText('account.ask.name', words))) : '';
  const email = options.email ?? (await askText('account.ask.email', words));
  const password = await askPassword(options, words);
  if (!isNew) return signInByPassword(api, { email, password }, PROGRAM);
  const invitation = options.invitation === undefined ? undefined : readInvitation(options.invitation);
  return register(api, { email, password, name, invitation }, { words, program: PROGRAM });
}

/** People copy the whole link. */
function readInvitation(text: string): string {
  return URL.canParse(text) ? new URL(text).hash.slice(1) : text.trim();
}

function askPassword({ isNew, passwordStdin }: SignInOptions & { readonly isNew: boolean }, words: Words) {
  if (passwordStdin) return readSecretLine();
  return isNew ? askNewSecret('account.ask.new_password', words) : askHidden('account.ask.password', words);
}
