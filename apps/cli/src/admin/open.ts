import type { Api } from '@parley/messenger';
import { openAccountApi } from '../account/api.ts';
import { askWhenStale } from '../account/fresh.ts';
import { chooseServer } from '../account/server-url.ts';
import type { Words } from '../messages/index.ts';

export interface AdminOptions {
  readonly url?: string;
}

export interface ReasonOptions extends AdminOptions {
  /** Why; it is in the log of what operators did. */
  readonly reason?: string;
  /** The password is the first line of standard input, should the server ask for it again. */
  readonly passwordStdin?: boolean;
}

/** Operators act with their own login: the server knows who did it. */
export const openAdminApi = ({ url }: AdminOptions): Api => openAccountApi(chooseServer(url), 'parley');

/** For what operators do to accounts: the server wants to know that it is still them (OP-15). */
export const openFreshAdminApi = (options: ReasonOptions, words: Words): Api =>
  askWhenStale(openAdminApi(options), options, words);
