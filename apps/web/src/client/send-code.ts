import { createApi } from '@parley/messenger';
import { createBrowserPlatform } from '@parley/messenger/browser';
import { authRoutes } from '@parley/protocol';
import { currentLocale } from '../i18n/index.ts';

/** Sends a code to an address that someone says is theirs; nobody is signed in yet. */
export async function sendCode(email: string): Promise<void> {
  const api = createApi({
    baseUrl: location.origin,
    platform: createBrowserPlatform(),
    credentials: { kind: 'none' },
  });
  await api.call(authRoutes.sendCode, { body: { email }, headers: { 'accept-language': currentLocale() } });
}
