import { type Api, ApiError } from '@parley/messenger';
import { authRoutes } from '@parley/protocol';
import { askHidden, isAtTerminal, readSecretLine } from '../ask.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { showProof } from './credentials.ts';

interface FreshOptions {
  readonly passwordStdin?: boolean;
}

/** Where the server wants to know anew who it is (AC-3), asks for the password and then repeats the call. */
export function askWhenStale(api: Api, { passwordStdin = false }: FreshOptions, words: Words): Api {
  const call: Api['call'] = async (contract, input) => {
    try {
      return await api.call(contract, input);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'REAUTHENTICATION_REQUIRED') throw error;
    }
    const account_password = passwordStdin ? await readSecretLine() : await ask(words);
    await api.call(authRoutes.reauthenticate, { body: { account_password, ...showProof(api.baseUrl) } });
    return api.call(contract, input);
  };
  return { ...api, call };
}

function ask(words: Words): Promise<string> {
  if (isAtTerminal()) return askHidden('account.ask.password_again', words);
  throw new CommandError('REAUTHENTICATION_REQUIRED', {
    exit: EXIT.bad,
    sentences: [{ key: 'account.password_again_needed' }],
  });
}
