import { type Client, createClient, hasheeExecutors } from '@parley/client';
import { browserExecutors, createBrowserPlatform, openIndexedDbStore } from '@parley/client/browser';
import { currentLocale } from '../i18n/index.ts';
import { describeBrowser } from './describe-browser.ts';
import { showSecret } from './new-secrets.ts';
import { pickFile } from './pick-file.ts';

export { deleteIndexedDbStore } from '@parley/client/browser';

interface BootOptions {
  /** The store of one account. */
  readonly store: string;
  /** Takes the keys over from another tab, because two at once would fork the ratchets (EE-7). */
  readonly steal: boolean;
  onLost(): void;
}

/** One tab at a time has keys, of whichever account: the cookie of the session is the same for all. */
const LOCK = 'parley';

/** Opens the device for this tab. */
export async function bootClient({ store: name, steal, onLost }: BootOptions): Promise<Client> {
  const store = await openIndexedDbStore(name, { lock: LOCK, onBusy: steal ? 'steal' : 'fail', onLost });
  void navigator.storage?.persist?.();
  try {
    return await createClient({
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
  } catch (error) {
    // Or this tab would find the keys locked by itself.
    await store.close().catch(() => {});
    throw error;
  }
}
