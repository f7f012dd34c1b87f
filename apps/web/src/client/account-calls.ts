import type { Tokens } from '@parley/client';
import type { Api } from '@parley/messenger';
import { authRoutes, type BodyOf } from '@parley/protocol';
import { createAnonymousApi } from './anonymous-api.ts';

export type Credentials = BodyOf<typeof authRoutes.login>;
export type NewAccount = BodyOf<typeof authRoutes.register>;

export const login = (body: Credentials): Promise<Tokens> => createAnonymousApi()(authRoutes.login, { body });
export const register = (body: NewAccount): Promise<Tokens> => createAnonymousApi()(authRoutes.register, { body });

export async function readName(api: Api): Promise<string> {
  return (await api.call(authRoutes.me)).display_name;
}
