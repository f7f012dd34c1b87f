import { authRoutes } from '@parley/protocol';
import { createAnonymousApi } from './anonymous-api.ts';

/** Sends a link to an address, if an account has it. */
export async function requestReset(email: string): Promise<void> {
  await createAnonymousApi()(authRoutes.requestPasswordReset, { body: { email } });
}

interface Reset {
  readonly code: string;
  readonly password: string;
  readonly endPasskeys: boolean;
}

export async function resetPassword({ code, password, endPasskeys }: Reset): Promise<void> {
  const body = { code, new_password: password, keep_passkeys: !endPasskeys };
  await createAnonymousApi()(authRoutes.resetPassword, { body });
}
