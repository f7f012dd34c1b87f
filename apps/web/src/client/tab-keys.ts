import { createKeyedQueue, createObservable, type Readable } from '@parley/base';
import type { Client, Device, Drafts, Tokens } from '@parley/client';
import type { Credentials, NewAccount } from './account-calls.ts';
import {
  activeStore,
  anyStore,
  findKnown,
  forgetKnown,
  hasKeys,
  isTaken,
  newStoreFor,
  rememberAccount,
  setActiveStore,
} from './known-accounts.ts';

/** What was typed under keys that another tab has taken. */
export interface Leftover {
  readonly accountId: string;
  readonly drafts: Drafts;
  readonly conversations: Device['conversations']['list'];
}

export type Keys =
  | { readonly state: 'starting' }
  /** Nobody has signed in with this browser: there are no keys, and what would open them is not loaded yet (HS-11). */
  | { readonly state: 'none' }
  /** Another tab has them. */
  | { readonly state: 'busy' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'open'; readonly client: Client }
  /** Another tab has taken them from this one (WC-2). */
  | { readonly state: 'lost' };

interface Entering {
  readonly tokens: Tokens;
  /** The account was made here (EE-16). */
  readonly registered: boolean;
}

type LoadBoot = () => Promise<Pick<typeof import('./boot.ts'), 'bootClient' | 'deleteIndexedDbStore'>>;

/** The keys of one tab. */
export function createTabKeys(loadBoot: LoadBoot) {
  const state = createObservable<Keys>({ state: 'starting' });
  /** Changes whenever the keys are opened or lost: what an earlier opening brings is not used any more. */
  let turn = 0;
  let current: Client | undefined;
  const left = createObservable<readonly Leftover[]>([]);
  /** Whose sign-in the loss of the keys, or a store that did not open, came between: it goes on with the next keys. */
  let entering: Entering | undefined;
  /** Accounts that were made here and not signed in to yet: whoever tries again is still their first device (EE-16). */
  const made = new Set<string>();
  /** Password and passkey may answer at the same time: whatever opens another store waits for the one before. */
  const queue = createKeyedQueue();
  const inTurn = <Result>(task: () => Promise<Result>): Promise<Result> => queue.run('store', task);

  /** What was typed in this tab and is in no store yet. It stays until its account is back, or the person drops it. */
  const typedBefore: Readable<readonly Leftover[]> = left;

  const dropTyped = (leftover: Leftover): void => left.set(left.getSnapshot().filter((one) => one !== leftover));

  /** The keys of this tab. There is one client at a time, because a second one would find them locked. */
  const keys: Readable<Keys> = state;

  let begun = false;
  /** Opens the keys, once for this page. */
  function startKeys(): void {
    if (begun) return;
    begun = true;
    void hasKeys().then((are) => (are ? openKeys() : state.set({ state: 'none' })));
  }

  /** Loads what opens the keys, since someone is about to sign in. */
  function prepareKeys(): void {
    if (current === undefined) void Promise.all([loadCalls(), loadBoot()]).catch(() => {});
  }

  async function openKeys({ steal = false } = {}): Promise<void> {
    state.set({ state: 'starting' });
    try {
      await open(activeStore(), steal);
    } catch {
      return;
    }
    if (entering !== undefined) await enter(entering.tokens, entering).catch(() => {});
    if (state.getSnapshot().state !== 'starting') return;
    entering = undefined;
    show();
  }

  /** Shows what the keys are of now. Who is signing in for the first time keeps the form until it has worked. */
  function show(): void {
    if (current !== undefined) state.set({ state: 'open', client: current });
  }

  /** Without keys of anyone, a form is shown; what fails is said there. */
  const hasForm = () => ['none', 'open'].includes(state.getSnapshot().state);

  async function open(store: string, steal: boolean): Promise<Client> {
    const mine = ++turn;
    try {
      const { bootClient } = await loadBoot();
      const client = await bootClient({ store, steal, onLost: () => mine === turn && lose() });
      if (mine !== turn) {
        void client.abandon().catch(() => {});
        throw new DOMException('the keys were taken over', 'AbortError');
      }
      current = client;
      setActiveStore(store);
      await follow(client, store);
      if (state.getSnapshot().state === 'open') show();
      return client;
    } catch (error) {
      const isBusy = (error as { code?: unknown } | null)?.code === 'STORE_BUSY';
      if (mine === turn && state.getSnapshot().state !== 'none')
        state.set(isBusy ? { state: 'busy' } : { state: 'failed', error });
      throw error;
    }
  }

  function lose(): void {
    turn++;
    const client = current;
    current = undefined;
    const session = client?.session.getSnapshot();
    if (session?.state === 'ready') {
      const { accountId, drafts, conversations } = session.device;
      left.set([...left.getSnapshot(), { accountId, drafts, conversations: conversations.list }]);
    }
    void client?.abandon().catch(() => {});
    state.set({ state: 'lost' });
  }

  /** Keeps the list of accounts, and gives back what was typed in this tab before it lost the keys. */
  async function follow(client: Client, store: string): Promise<void> {
    const owner = await client.owner();
    if (owner !== undefined) rememberAccount({ accountId: owner.accountId, store });
    const look = () => {
      const session = client.session.getSnapshot();
      if (session.state === 'signed_out' || client !== current) return;
      if (session.state !== 'ready') return rememberAccount({ accountId: session.accountId, store });
      const { accountId, drafts, api } = session.device;
      rememberAccount({ accountId, store });
      for (const one of left.getSnapshot()) {
        if (one.accountId !== accountId) continue;
        drafts.merge(one.drafts.unsaved());
        dropTyped(one);
      }
      if (findKnown(accountId)?.name !== undefined) return;
      // Without a network the account goes by its id until the next time.
      loadCalls()
        .then(({ readName }) => readName(api))
        .then((name) => rememberAccount({ accountId, store, name }))
        .catch(() => {});
    };
    client.session.subscribe(look);
    look();
  }

  /** Opens the store of another account in this tab. Nobody is signed in. */
  async function change(store: string): Promise<Client> {
    const before = current;
    turn++;
    current = undefined;
    await before?.close().catch(() => {});
    return open(store, true);
  }

  const need = (): Client => {
    if (current === undefined) throw new DOMException('the keys are closed', 'InvalidStateError');
    return current;
  };

  /** The store of an account; of one that is new here, the first store as long as nobody has that. */
  function storeFor(accountId: string): string {
    const known = findKnown(accountId);
    if (known !== undefined) return known.store;
    return isTaken(activeStore()) ? newStoreFor(accountId) : activeStore();
  }

  /** Signs in to whichever account the tokens are of, with the keys of that one (WC-3). */
  function enter(tokens: Tokens, { registered = false } = {}): Promise<void> {
    const accountId = tokens.user_id;
    if (registered) made.add(accountId);
    const mine: Entering = { tokens, registered: made.has(accountId) };
    entering = mine;
    return inTurn(async () => {
      try {
        await signInWith(mine);
        made.delete(accountId);
        if (entering === mine) entering = undefined;
      } catch (error) {
        // Where no form can say it, it goes on with the next keys.
        if (entering === mine && hasForm()) entering = undefined;
        throw error;
      }
    });
  }

  async function signInWith({ tokens, registered }: Entering): Promise<void> {
    const accountId = tokens.user_id;
    // Another tab that is open may have keys by now: whoever signs in, wants them here.
    if (current === undefined && state.getSnapshot().state === 'none') await open(storeFor(accountId), true);
    const owner = await need().owner();
    const isHere = owner?.accountId === accountId || (owner === undefined && findKnown(accountId) === undefined);
    const client = isHere ? need() : await change(findKnown(accountId)?.store ?? newStoreFor(accountId));
    try {
      await client.signIn(tokens, { registered });
    } finally {
      const isIn = client.session.getSnapshot().state !== 'signed_out';
      if (client === current && isIn && state.getSnapshot().state === 'none') show();
    }
  }

  /** The page that someone signs in with loads without them. */
  const loadCalls = () => import('./account-calls.ts');

  async function signIn(credentials: Credentials): Promise<void> {
    await enter(await (await loadCalls()).login(credentials));
  }

  async function register(account: NewAccount): Promise<void> {
    await enter(await (await loadCalls()).register(account), { registered: true });
  }

  /** What this browser has of an account that is signed out: opens its store. */
  function lookAt(accountId: string): Promise<Awaited<ReturnType<Client['owner']>>> {
    return inTurn(async () => {
      await openFor(accountId);
      return need().owner();
    });
  }

  /** Removes the keys and the history of an account from this browser. */
  function forgetAccount(accountId: string): Promise<void> {
    return inTurn(async () => {
      const before = activeStore();
      const store = findKnown(accountId)?.store ?? before;
      await openFor(accountId);
      await need().forget();
      forgetKnown(accountId);
      const next = store === before ? anyStore() : before;
      if (next === store) return;
      await change(next);
      await (await loadBoot()).deleteIndexedDbStore(store);
    });
  }

  async function openFor(accountId: string): Promise<void> {
    const store = findKnown(accountId)?.store ?? activeStore();
    if (current === undefined && state.getSnapshot().state === 'none') {
      // Not from a tab where someone is signed in, who would find it closed.
      await open(store, false);
    } else if (store !== activeStore()) await change(store);
    if (current?.session.getSnapshot().state !== 'signed_out') show();
  }

  return {
    typedBefore,
    dropTyped,
    keys,
    startKeys,
    prepareKeys,
    openKeys,
    enter,
    signIn,
    register,
    lookAt,
    forgetAccount,
  };
}
