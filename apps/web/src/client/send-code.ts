import { createApi } from '@parley/messenger';
import { createBrowserPlatform } from '@parley/messenger/browser';
import { authRoutes } from '@parley/protocol';
import { currentLocale } from '../i18n/index.ts';

/** Sends a code to the e-mail address that a person claims, before anyone is signed in. */
export async function sendCode(email: string): Promise<void> {
  const api = createApi({
    baseUrl: location.origin,
    platform: createBrowserPlatform(),
    credentials: { kind: 'none' },
  });
  await api.call(authRoutes.sendCode, { body: { email }, headers: { 'accept-language': currentLocale() } });
}
