import { isParleyError } from '@parley/base';
import { type Client, createClient, explainClientFailure, hasheeExecutors } from '@parley/client';
import { browserExecutors } from '@parley/client/browser';
import { ApiError } from '@parley/messenger';
import { createBrowserPlatform, openIndexedDbStore } from '@parley/messenger/browser';
import { currentLocale, i18n } from '../i18n/index.ts';
import { describeBrowser } from './describe-browser.ts';
import { setExplainer } from './explain.ts';
import { showSecret } from './new-secrets.ts';
import { OtherTab } from './other-tab.ts';
import { pickFile } from './pick-file.ts';

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
    executors: (api, accountId) => [
      ...browserExecutors({ api, pickFile }),
      ...hasheeExecutors({ api, accountId, showSecret }),
    ],
    locale: currentLocale(),
    deviceName: describeBrowser(navigator.userAgent),
  });
}

/** The server's words come in the language that was asked for. */
setExplainer((error) => {
  const code = (error as { code?: unknown } | null)?.code;
  const own = typeof code === 'string' ? explainClientFailure(code, currentLocale()) : undefined;
  if (own !== undefined || !isParleyError(error)) return own;
  if (error.code === 'UNREACHABLE') return i18n.t('shell:unreachable');
  return error instanceof ApiError ? error.message : error.explain(currentLocale());
});
