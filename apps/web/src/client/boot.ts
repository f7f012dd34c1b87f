import { type Client, createClient } from '@parley/client';
import { browserExecutors } from '@parley/client/browser';
import { createBrowserPlatform, openIndexedDbStore } from '@parley/messenger/browser';
import { currentLocale } from '../i18n/index.ts';
import { pickFile } from './pick-file.ts';

/** Another tab has the keys: two at once would fork the ratchets (EE-7). */
export class OtherTab extends Error {}

/** The device behind this tab. `steal` takes it over from another tab. */
export async function bootClient(steal = false): Promise<Client> {
  const store = await openIndexedDbStore('parley', { onBusy: steal ? 'steal' : 'fail' }).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'STORE_BUSY') throw new OtherTab();
    throw error;
  });
  void navigator.storage?.persist?.();
  return createClient({
    baseUrl: location.origin,
    store,
    platform: createBrowserPlatform(),
    executors: (api) => browserExecutors({ api, pickFile }),
    locale: currentLocale(),
    deviceName: describeBrowser(navigator.userAgent),
  });
}

/** As the other devices of the account show this one. */
export function describeBrowser(agent: string): string {
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : 'Safari';
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'].find((name) => agent.includes(name));
  return system === undefined ? browser : `${browser} · ${system}`;
}
