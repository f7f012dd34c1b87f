import { type Api, createApi } from '@parley/messenger';
import { createBrowserPlatform } from '@parley/messenger/browser';
import { currentLocale } from '../i18n/index.ts';

/** Calls the server before anyone is signed in. Its messages come in the language of the page. */
export function createAnonymousApi(): Api['call'] {
  const api = createApi({
    baseUrl: location.origin,
    platform: createBrowserPlatform(),
    credentials: { kind: 'none' },
  });
  return (route, input = {}) =>
    api.call(route, { ...input, headers: { 'accept-language': currentLocale(), ...input.headers } });
}
