import { type Api, ApiError, createApi } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { authRoutes } from '@parley/protocol';
import { askText, isAtTerminal } from '../ask.ts';
import type { Words } from '../messages/index.ts';
import { readKnownDevice } from './credentials.ts';
import { createLoginSession, type Tokens } from './login-session.ts';

export interface PasswordAccount {
  readonly email: string;
  readonly password: string;
}

/** Exchanges the browser session that a password gives, whose refresh token is in a cookie, for one of our own. */
async function exchange(api: Api, accessToken: string, program: string): Promise<Tokens> {
  const credentials = { kind: 'session', accessToken } as const;
  const signedIn = createApi({ baseUrl: api.baseUrl, platform: createNodePlatform(), credentials });
  const tokens = await createLoginSession(signedIn, program);
  await signedIn.call(authRoutes.logout, { body: null }).catch(() => {});
  return tokens;
}

export async function signInByPassword(api: Api, account: PasswordAccount, program: string): Promise<Tokens> {
  const known = readKnownDevice(api.baseUrl, account.email);
  const proof = known === undefined ? {} : { known_device: known };
  const body = { email: account.email, account_password: account.password, ...proof };
  const { access_token } = await api.call(authRoutes.login, { body });
  return exchange(api, access_token, program);
}

/** Asks for the code that the server sent by e-mail, if it sends one. */
export async function register(
  api: Api,
  account: PasswordAccount & { readonly name: string; readonly invitation: string | undefined },
  { words, program }: { readonly words: Words; readonly program: string },
): Promise<Tokens> {
  const { email, password, name, invitation } = account;
  const fields = { email, account_password: password, display_name: name };
  const body = invitation === undefined ? fields : { ...fields, invitation };
  try {
    return await exchange(api, (await api.call(authRoutes.register, { body })).access_token, program);
  } catch (error) {
    const wantsCode = error instanceof ApiError && error.code === 'CODE_INVALID';
    if (!wantsCode || !isAtTerminal()) throw error;
    await api.call(authRoutes.sendCode, { body: { email } });
    const code = await askText('account.ask.code', words);
    return exchange(api, (await api.call(authRoutes.register, { body: { ...body, code } })).access_token, program);
  }
}
