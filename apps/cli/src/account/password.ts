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

interface SignedIn {
  readonly accessToken: string;
  readonly password: string;
}

/** Exchanges the browser session that a password gives, whose refresh token is in a cookie, for one of our own. */
async function exchange(api: Api, { accessToken, password }: SignedIn, program: string): Promise<Tokens> {
  const signedIn = openSession(api, accessToken);
  const tokens = await createLoginSession(signedIn, program);
  await signedIn.call(authRoutes.logout, { body: null }).catch(() => {});
  return prove(api, tokens, password);
}

/**
 * The new session was approved, not proved: with the password it gets the proof of a known device (AC-1), and operators are not
 * asked for it again right away (OP-15). Where someone guesses in another session, it does without.
 */
async function prove(api: Api, tokens: Tokens, account_password: string): Promise<Tokens> {
  try {
    await openSession(api, tokens.access_token).call(authRoutes.reauthenticate, { body: { account_password } });
  } catch {
    return tokens;
  }
  return api.call(authRoutes.refresh, { body: { refresh_token: tokens.refresh_token! } });
}

function openSession({ baseUrl }: Api, accessToken: string): Api {
  return createApi({ baseUrl, platform: createNodePlatform(), credentials: { kind: 'session', accessToken } });
}

export async function signInByPassword(api: Api, account: PasswordAccount, program: string): Promise<Tokens> {
  const known = readKnownDevice(api.baseUrl, account.email);
  const proof = known === undefined ? {} : { known_device: known };
  const body = { email: account.email, account_password: account.password, ...proof };
  const { access_token } = await api.call(authRoutes.login, { body });
  return exchange(api, { accessToken: access_token, password: account.password }, program);
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
  const create = async (more: { readonly code?: string } = {}) => {
    const { access_token: accessToken } = await api.call(authRoutes.register, { body: { ...body, ...more } });
    return exchange(api, { accessToken, password }, program);
  };
  try {
    return await create();
  } catch (error) {
    const wantsCode = error instanceof ApiError && error.code === 'CODE_INVALID';
    if (!wantsCode || !isAtTerminal()) throw error;
    await api.call(authRoutes.sendCode, { body: { email } });
    return create({ code: await askText('account.ask.code', words) });
  }
}
