import { setTimeout as pause } from 'node:timers/promises';
import { type Api, ApiError } from '@parley/messenger';
import { authRoutes, deviceFlowRoutes, type ReplyOf } from '@parley/protocol';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';
import { createAnonymousApi, startSession } from './api.ts';
import { sessionName, type Tokens } from './login-session.ts';
import { chooseServer } from './server-url.ts';

type Grant = ReplyOf<typeof deviceFlowRoutes.deviceCode>;

export interface LoginOptions {
  readonly server?: string;
}

/** Shows a code, waits until the person has entered it in a browser, and saves the tokens (RFC 8628). */
export async function login(options: LoginOptions, words: Words, program: string): Promise<CommandResult> {
  const baseUrl = chooseServer(options.server);
  const api = createAnonymousApi(baseUrl);
  const tokens = await withInterrupt('account.interrupted', (signal) => signIn(api, { words, program, signal }));
  const { email, display_name } = await startSession(baseUrl, tokens).call(authRoutes.me);
  const shown = { url: baseUrl, name: displayName(display_name), email: displayName(email) };
  return {
    exit: EXIT.fine,
    json: { server: baseUrl, user_id: tokens.user_id, email, display_name },
    text: (paint) => `${paint('green', '✓')} ${words.say('account.signed_in', shown)}\n`,
  };
}

interface SignInDeps {
  readonly words: Words;
  readonly program: string;
  readonly signal: AbortSignal;
}

/** Returns the tokens without saving them, for callers that store them elsewhere, as `parley chat` does. */
export async function signIn(api: Api, { words, program, signal }: SignInDeps): Promise<Tokens> {
  const body = { client_name: sessionName(program) };
  const grant = await api.call(deviceFlowRoutes.deviceCode, { body, signal });
  const { verification_uri: uri, verification_uri_complete: complete, user_code: code } = grant;
  const shown = { uri: displayName(uri), complete: displayName(complete), code: displayName(code) };
  // Written to standard error even with --json, because a person has to read it while the command waits.
  await show(
    process.stderr,
    (paint) => `${words.say('account.enter_code', { ...shown, code: paint('bold', code) })}\n`,
  );
  return await poll(api, grant, signal);
}

async function poll(api: Api, { device_code, interval, expires_in }: Grant, signal: AbortSignal): Promise<Tokens> {
  const end = Date.now() + expires_in * 1_000;
  let seconds = interval;
  while (Date.now() < end) {
    await pause(seconds * 1_000, undefined, { signal });
    try {
      return await api.call(deviceFlowRoutes.deviceToken, { body: { device_code }, signal });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'SLOW_DOWN') seconds += 5;
      else if (error.code !== 'AUTHORIZATION_PENDING' && error.code !== 'UNREACHABLE') throw error;
    }
  }
  throw new CommandError('EXPIRED_TOKEN', { exit: EXIT.bad, sentences: [{ key: 'account.too_late' }] });
}
