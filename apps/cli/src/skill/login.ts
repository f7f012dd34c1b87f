import { readServerUrl } from '../account/server-url.ts';
import { askHidden, isAtTerminal, readSecretLine } from '../ask.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';
import { explainSkill } from './explain.ts';
import { openSkillKeyring } from './keyring.ts';
import { createClient, readSource, type SourceOptions } from './source.ts';

export interface LoginOptions extends SourceOptions {
  readonly clientId?: string;
  readonly keyStdin?: boolean;
  /** The name of a custom authentication parameter (SD-3) that is stored instead of an API key. */
  readonly parameter?: string;
}

/** Stores an API key for an origin, or gets OAuth 2.0 tokens in a browser. */
export async function loginToSkill(target: string, options: LoginOptions, words: Words): Promise<CommandResult> {
  try {
    if (options.clientId !== undefined)
      return await authorise(target, { ...options, clientId: options.clientId }, words);
    const origin = readServerUrl(target);
    const keyring = openSkillKeyring();
    const known = await keyring.find(origin);
    const stdin = options.keyStdin === true || !isAtTerminal();
    const { parameter } = options;
    const ask = parameter === undefined ? 'skill.ask.key' : 'skill.ask.parameter';
    const secret = stdin ? await readSecretLine() : await askHidden(ask, words);
    if (parameter === undefined) await keyring.set(origin, { ...known, api_key: secret });
    else await keyring.set(origin, { ...known, custom: { ...known?.custom, [parameter]: secret } });
    return said(parameter === undefined ? 'skill.key_kept' : 'skill.parameter_kept', origin, words);
  } catch (error) {
    throw explainSkill(error, words);
  }
}

async function authorise(
  target: string,
  options: LoginOptions & { clientId: string },
  words: Words,
): Promise<CommandResult> {
  const descriptor = await readSource(target, options, words);
  const { origin } = new URL(descriptor.endpoint.url);
  const keyring = openSkillKeyring();
  const known = await keyring.find(origin);
  const token_url = descriptor.auth.oauth2?.token_url;
  const client = { client_id: options.clientId, ...(token_url === undefined ? {} : { token_url }) };
  await keyring.set(origin, { ...known, oauth2: { ...client, grant: 'authorization_code' } });
  await withInterrupt('account.interrupted', (signal) =>
    createClient(options).authorise(descriptor, {
      credentials: keyring,
      signal,
      // Written to standard error, because a person has to read it while the command waits.
      open: (url) => show(process.stderr, () => `${words.say('skill.open', { url: displayName(url) })}\n`),
    }),
  );
  return said('skill.authorised', origin, words);
}

export async function logoutOfSkill(target: string, words: Words): Promise<CommandResult> {
  const origin = readServerUrl(target);
  try {
    await openSkillKeyring().set(origin, undefined);
  } catch (error) {
    throw explainSkill(error, words);
  }
  return said('skill.forgotten', origin, words);
}

function said(
  key: 'skill.key_kept' | 'skill.parameter_kept' | 'skill.authorised' | 'skill.forgotten',
  origin: string,
  words: Words,
): CommandResult {
  return {
    exit: EXIT.fine,
    json: { origin },
    text: (paint) => `${paint('green', '✓')} ${words.say(key, { origin })}\n`,
  };
}
