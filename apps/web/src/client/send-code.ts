import { authRoutes } from '@parley/protocol';
import { createAnonymousApi } from './anonymous-api.ts';

/** Sends a code to the e-mail address that a person claims. */
export async function sendCode(email: string): Promise<void> {
  await createAnonymousApi()(authRoutes.sendCode, { body: { email } });
}
