import type { authRoutes, ReplyOf } from '@parley/protocol';
import { currentLocale } from '../i18n/index.ts';

export type SignUpRules = ReplyOf<typeof authRoutes.getSignUp>;

/** Who may register here. A plain request, because what checks the others is larger than the whole first page (HS-11). */
export async function readSignUpRules(): Promise<SignUpRules> {
  const response = await fetch('/auth/sign-up', { headers: { 'accept-language': currentLocale() } });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.json();
}

/** What an invitation makes of someone; undefined if it no longer counts. */
export async function checkInvitation(invitation: string): Promise<'user' | 'admin' | undefined> {
  const { createAnonymousApi } = await import('./anonymous-api.ts');
  const { authRoutes } = await import('@parley/protocol');
  const { role } = await createAnonymousApi()(authRoutes.checkInvitation, { body: { invitation } });
  return role ?? undefined;
}
