import { type Client, createClient, hasheeExecutors } from '@parley/client';
import { browserExecutors, createBrowserPlatform, openIndexedDbStore } from '@parley/client/browser';
import { currentLocale } from '../i18n/index.ts';
import { describeBrowser } from './describe-browser.ts';
import { showSecret } from './new-secrets.ts';
import { pickFile } from './pick-file.ts';

/** Opens the device for this tab. `steal` takes it over from another tab, because two at once would fork the ratchets (EE-7). */
export async function bootClient(steal = false): Promise<Client> {
  const store = await openIndexedDbStore('parley', { onBusy: steal ? 'steal' : 'fail' });
  void navigator.storage?.persist?.();
  return createClient({
    baseUrl: location.origin,
    store,
    platform: createBrowserPlatform(),
    executors: (api, accountId) => [
      ...browserExecutors({ api, pickFile }),
      ...hasheeExecutors({ api, accountId, showSecret }),
    ],
    locale: currentLocale(),
    deviceName: describeBrowser(navigator.userAgent),
  });
}
