import { authRoutes, type ReplyOf } from '@parley/protocol';
import { createAnonymousApi } from './anonymous-api.ts';

export type SignUpRules = ReplyOf<typeof authRoutes.getSignUp>;

/** Who may register here. */
export function readSignUpRules(): Promise<SignUpRules> {
  return createAnonymousApi()(authRoutes.getSignUp);
}

/** What an invitation makes of someone; undefined if it no longer counts. */
export async function checkInvitation(invitation: string): Promise<'user' | 'admin' | undefined> {
  const { role } = await createAnonymousApi()(authRoutes.checkInvitation, { body: { invitation } });
  return role ?? undefined;
}
