import type { Api } from '@parley/messenger';
import { openAccountApi } from '../account/api.ts';
import { chooseServer } from '../account/server-url.ts';

export interface AdminOptions {
  readonly url?: string;
}

export interface ReasonOptions extends AdminOptions {
  /** Why; it is in the log of what operators did. */
  readonly reason?: string;
}

/** Operators act with their own login: the server knows who did it. */
export const openAdminApi = ({ url }: AdminOptions): Api => openAccountApi(chooseServer(url), 'parley');
