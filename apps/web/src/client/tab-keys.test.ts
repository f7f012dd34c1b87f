import { createObservable } from '@parley/base';
import type { Tokens } from '@parley/client';
import { until } from '@parley/testkit/until';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTabKeys } from './tab-keys.ts';

type Keys = ReturnType<typeof createTabKeys>;
interface Opening {
  readonly store: string;
  readonly steal: boolean;
  readonly onLost: () => void;
}

const tokensOf = (accountId: string) => ({ user_id: accountId }) as Tokens;
const busy = () => Object.assign(new Error('busy'), { code: 'STORE_BUSY' });

/** A browser: what its stores hold, and one tab of it. */
function createBrowser() {
  /** Whose keys each store has. */
  const owners = new Map<string, string>();
  const opened: Opening[] = [];
  const signedIn: [store: string, accountId: string, registered: boolean][] = [];
  let openNow = 0;
  const on = {
    open: async (_: Opening) => {},
    signIn: async (_: string) => {},
  };
  async function bootClient(opening: Opening) {
    opened.push(opening);
    await on.open(opening);
    const { store } = opening;
    if (openNow > 0 && !opening.steal) throw busy();
    openNow++;
    const session = createObservable<object>({ state: 'signed_out' });
    const close = async () => void openNow--;
    return {
      session,
      owner: async () => (owners.has(store) ? { accountId: owners.get(store)!, hasRecoverySecret: false } : undefined),
      async signIn({ user_id: accountId }: Tokens, { registered = false } = {}) {
        const owner = owners.get(store);
        if (owner !== undefined && owner !== accountId) throw Object.assign(new Error(), { code: 'OTHER_ACCOUNT' });
        owners.set(store, accountId);
        await on.signIn(accountId);
        signedIn.push([store, accountId, registered]);
        session.set({ state: 'waiting', accountId });
      },
      close,
      abandon: close,
    };
  }
  return { bootClient, owners, opened, signedIn, on };
}

describe('WC-3 signing in where nobody has', () => {
  let browser: ReturnType<typeof createBrowser>;
  let tab: Keys;
  let storage: Map<string, string>;

  beforeEach(async () => {
    browser = createBrowser();
    storage = new Map();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
    });
    vi.stubGlobal('addEventListener', () => {});
    vi.stubGlobal('indexedDB', { databases: async () => [] });
    tab = createTabKeys(
      async () => ({ bootClient: browser.bootClient, deleteIndexedDbStore: async () => {} }) as never,
    );
    tab.startKeys();
    await until(() => tab.keys.getSnapshot().state === 'none');
  });

  it('WC-3 another tab has the keys by now: they are taken over', async () => {
    browser.on.open = async ({ steal }) => {
      if (!steal) throw busy();
    };
    await tab.enter(tokensOf('ada'), { registered: true });
    expect(browser.signedIn).toEqual([['parley', 'ada', true]]);
    expect(tab.keys.getSnapshot().state).toBe('open');
  });

  it('WC-3 the first store is another account’s by now: the new one gets its own', async () => {
    browser.owners.set('parley', 'ada');
    storage.set('parley.accounts', JSON.stringify([{ accountId: 'ada', store: 'parley' }]));
    await tab.enter(tokensOf('bea'), { registered: true });
    expect(browser.signedIn).toEqual([['parley-bea', 'bea', true]]);
  });

  it('WC-3 a first try that failed halfway is in nobody else’s way', async () => {
    browser.on.signIn = async (accountId) => {
      if (accountId === 'ada') throw new Error('no network');
    };
    await expect(tab.enter(tokensOf('ada'))).rejects.toThrow('no network');
    expect(tab.keys.getSnapshot().state).toBe('none');
    await tab.enter(tokensOf('bob'));
    expect(browser.signedIn).toEqual([['parley-bob', 'bob', false]]);
    expect(tab.keys.getSnapshot().state).toBe('open');
  });

  it('EE-16 attack: a failure makes nobody forget that the account was made here', async () => {
    let fails = true;
    browser.on.signIn = async () => {
      if (fails) throw new Error('no network');
    };
    await expect(tab.enter(tokensOf('ada'), { registered: true })).rejects.toThrow('no network');
    fails = false;
    await tab.enter(tokensOf('ada'));
    expect(browser.signedIn).toEqual([['parley', 'ada', true]]);
  });

  it('WC-3 the form stays if the store does not open, and the next try is a new one', async () => {
    browser.on.open = () => Promise.reject(new Error('no disk'));
    await expect(tab.enter(tokensOf('ada'))).rejects.toThrow('no disk');
    expect(tab.keys.getSnapshot().state).toBe('none');
    browser.on.open = async () => {};
    await tab.enter(tokensOf('ada'));
    expect(tab.keys.getSnapshot().state).toBe('open');
  });

  it('WC-3 a password and a passkey at the same time do not find each other’s lock', async () => {
    await Promise.all([tab.enter(tokensOf('ada')), tab.enter(tokensOf('ada'))]);
    expect(browser.opened).toHaveLength(1);
    expect(tab.keys.getSnapshot().state).toBe('open');
  });

  it('WC-2 keys that are taken in the middle of signing up: it goes on when they are back', async () => {
    browser.on.signIn = async () => {
      browser.on.signIn = async () => {};
      browser.opened[0]!.onLost();
      throw Object.assign(new Error(), { code: 'STORE_LOST' });
    };
    await expect(tab.enter(tokensOf('ada'), { registered: true })).rejects.toMatchObject({ code: 'STORE_LOST' });
    expect(tab.keys.getSnapshot().state).toBe('lost');
    await tab.openKeys({ steal: true });
    expect(browser.signedIn).toEqual([['parley', 'ada', true]]);
    expect(tab.keys.getSnapshot().state).toBe('open');
  });

  it('WC-3 what is lost with an account can be looked at before anyone has signed in', async () => {
    browser.owners.set('parley', 'ada');
    storage.set('parley.accounts', JSON.stringify([{ accountId: 'ada', store: 'parley' }]));
    expect(await tab.lookAt('ada')).toMatchObject({ accountId: 'ada' });
    expect(browser.opened.map(({ steal }) => steal)).toEqual([false]);
    expect(tab.keys.getSnapshot().state).toBe('none');
  });

  it('WC-3 the list of accounts keeps what another tab has written into it', async () => {
    const { rememberAccount, forgetKnown } = await import('./known-accounts.ts');
    rememberAccount({ accountId: 'ada', store: 'parley' });
    // The event has not come yet.
    storage.set('parley.accounts', JSON.stringify([{ accountId: 'bob', store: 'parley-bob' }]));
    rememberAccount({ accountId: 'cleo', store: 'parley-cleo' });
    forgetKnown('ada');
    const list = JSON.parse(storage.get('parley.accounts')!) as { accountId: string }[];
    expect(list.map(({ accountId }) => accountId)).toEqual(['bob', 'cleo']);
  });
});
