import { createKeyedQueue, createObservable, isParleyError, type Locale, type Readable } from '@parley/base';
import {
  type Api,
  ApiError,
  type BackupOptions,
  loadOrCreateKeys,
  loadOwnKeys,
  type Platform,
  type Store,
} from '@parley/messenger';
import { authRoutes, type BodyOf, deviceRoutes, type ReplyOf } from '@parley/protocol';
import { loadRecoverySecret, type RecoverySecret } from './account/account-key.ts';
import { dropRemovedDevice } from './account/drop-removed-device.ts';
import {
  createSignIn,
  dropLoginSession,
  endLoginSession,
  type LoginSession,
  openLoginSession,
  readReason,
  reasonEntry,
  reasonOf,
  restoreLoginSession,
  type SignedOutReason,
} from './account/login-session.ts';
import { readOwnList } from './account/own-list.ts';
import { recoverDevice } from './account/recover.ts';
import {
  abandonFounding,
  found,
  founderEntry,
  loadCode,
  type OwnDevice,
  type Registered,
  registerDevice,
  wait as waitForApproval,
} from './account/register-device.ts';
import { revokeThisDevice } from './account/revoke-self.ts';
import { acceptWelcome } from './account/welcome.ts';
import type { AuditLog } from './audit/types.ts';
import { MESSAGES } from './conversations/history.ts';
import { type Device, type OpenDevice, openDevice } from './device.ts';
import { clientError } from './errors.ts';
import type { Executor } from './executors/types.ts';

export interface ClientOptions {
  /** The server's origin, such as `https://parley.example`. */
  readonly baseUrl: string;
  /** The client closes it when it is closed itself. */
  readonly store: Store;
  readonly platform: Platform;
  /** The tools that this device can run; none by default. A function gets the session of the signed-in person. */
  readonly executors?: readonly Executor[] | ((api: Api, accountId: string) => readonly Executor[]) | undefined;
  /** Where tool calls are recorded; in the store by default. */
  readonly audit?: AuditLog | undefined;
  readonly locale?: Locale | undefined;
  /** The name that the account's other devices show. */
  readonly deviceName?: string | undefined;
}

/** Whose keys a device has. */
export interface KeyOwner {
  readonly accountId: string;
  /** The recovery secret is still here, and would go with the keys (EE-17). */
  readonly hasRecoverySecret: boolean;
}

export type LoginSessionState =
  /** The reason, where it was not the person who signed out here. */
  | { readonly state: 'signed_out'; readonly reason?: SignedOutReason | undefined }
  /**
   * Signed in, and the keys are of a device that was removed from the account: it can only be made a new one, `renew`. If
   * it is not `signed`, it is the server's bare word, which a keeper may not have confirmed (EE-18).
   */
  | { readonly state: 'revoked'; readonly accountId: string; readonly signed: boolean }
  /** Signed in, but the server could not be reached yet; the client retries by itself. */
  | { readonly state: 'opening'; readonly accountId: string }
  /** EE-16: the server says that the account has no device yet. If that is true, the person begins it here: `found`. */
  | { readonly state: 'unfounded'; readonly accountId: string }
  /** EE-16: not let in yet. `code` is what has to be typed on a device that keeps the account key. */
  | {
      readonly state: 'waiting';
      readonly accountId: string;
      readonly deviceId: string;
      readonly code: string;
      /** There are messages of a time before: it was a device of the account until it was removed. */
      readonly hasMessages: boolean;
    }
  | { readonly state: 'ready'; readonly device: Device };

export type Tokens = ReplyOf<typeof authRoutes.login>;

export interface Client {
  readonly session: Readable<LoginSessionState>;
  register(account: BodyOf<typeof authRoutes.register>): Promise<void>;
  login(credentials: BodyOf<typeof authRoutes.login>): Promise<void>;
  /**
   * Signs in with tokens from any other method: a passkey, or the device flow. `registered` says that the account has
   * just been made here: then this device makes its key, whatever the server answers (EE-16). Whoever is signed in already
   * goes on with the new login session.
   */
  signIn(tokens: Tokens, options?: { readonly registered?: boolean }): Promise<void>;
  /** Signs out. The keys stay: whoever signs in again finds the device as it was. */
  logout(): Promise<void>;
  /** Signs out, revokes this device and removes all its data. It works for someone who is signed out, too. */
  forget(): Promise<void>;
  /** Makes this the first device of an account that has none, as the person has confirmed. */
  found(): Promise<void>;
  /** Asks whether a waiting device was approved; the client does so by itself every few seconds. */
  checkApproval(): Promise<void>;
  /** Gives a removed device new keys, under which it waits to be let in again. Its messages stay readable. */
  renew(): Promise<void>;
  /** Whose keys are here, whether or not someone is signed in. */
  owner(): Promise<KeyOwner | undefined>;
  /** A waiting device approves itself with the recovery secret of the account. */
  recover(recovery: RecoverySecret, options?: BackupOptions): Promise<void>;
  readonly locale: Readable<Locale>;
  setLocale(locale: Locale): void;
  close(): Promise<void>;
  /**
   * Another tab has taken the store (STORE_LOST): stops at once, sends nothing more, and asks nothing. What was read and
   * typed can still be read from the device.
   */
  abandon(): Promise<void>;
}

const DEVICE = 'client/device';

/** The version before called a device certified. */
function readKept(text: string): OwnDevice {
  const { certified = false, ...kept } = JSON.parse(text) as OwnDevice & { certified?: boolean };
  const { deviceId, name, listed = certified } = kept;
  return { deviceId, name, listed };
}

const APPROVAL_MS = 3_000;
const RETRY_MS = 5_000;

/**
 * Creates the client of a person's device: it signs in, registers, and then is a `Device`. It continues where the last
 * run ended.
 */
export async function createClient(options: ClientOptions): Promise<Client> {
  const { store, platform, executors = [], deviceName = 'Parley' } = options;
  const locale = createObservable<Locale>(options.locale ?? 'en');
  const state = createObservable<LoginSessionState>({ state: 'signed_out' });
  let session: LoginSession | undefined;
  let own: OwnDevice | undefined;
  let open: OpenDevice | undefined;
  let stopTimer = () => {};
  let closed = false;

  const need = (): LoginSession => {
    if (session === undefined) throw clientError('SIGNED_OUT');
    return session;
  };
  const depsOf = ({ api, userId }: LoginSession) => ({ api, store, platform, userId });

  async function start(next: LoginSession, isNew = false): Promise<void> {
    const keys = await loadOwnKeys(store);
    if (keys !== undefined && keys.owner !== next.userId) throw clientError('OTHER_ACCOUNT');
    session = next;
    const kept = await store.get(DEVICE);
    if (!isNew && (await readReason(store)) === 'revoked') return showRevoked(next);
    // A known device starts without asking the server; a new login session has to be bound to the device first.
    const isKnown = kept !== undefined && !isNew;
    await proceed(next, isKnown ? readKept(kept) : await registerDevice(depsOf(next), deviceName).catch(refuseRemoved));

    async function refuseRemoved(error: unknown): Promise<never> {
      if (isParleyError(error, 'DEVICE_REVOKED')) {
        await store.write(new Map([reasonEntry('revoked')]));
        await showRevoked(next);
      }
      throw error;
    }
  }

  async function showRevoked(current: LoginSession): Promise<void> {
    const text = await store.get(DEVICE);
    const deviceId = text === undefined ? undefined : readKept(text).deviceId;
    // Without a network, or with a server that hides the list, it stays the server's bare word.
    const read = await readOwnList(depsOf(current)).catch(() => undefined);
    const signed = deviceId !== undefined && read?.seen?.list.revoked.has(deviceId) === true;
    state.set({ state: 'revoked', accountId: current.userId, signed });
  }

  async function proceed(current: LoginSession, device: Registered): Promise<void> {
    if (device === 'unfounded') {
      state.set({ state: 'unfounded', accountId: current.userId });
      return;
    }
    own = device;
    await store.write(new Map([[DEVICE, JSON.stringify(device)], reasonEntry(null)]));
    if (!device.listed) return wait(current, device);
    const keys = await loadOrCreateKeys(store, platform.crypto, current.userId);
    const opened = await openDevice({
      session: current,
      own: device,
      keys,
      store,
      platform,
      executors: typeof executors === 'function' ? executors(current.api, current.userId) : executors,
      audit: options.audit,
      locale: locale.getSnapshot,
      onRevoked: (reason) => void leaveFor(reason).catch(() => {}),
    });
    // Someone has signed out meanwhile, or the program ends.
    if (closed) return opened.abandon();
    if (session !== current) return opened.close();
    open = opened;
    state.set({ state: 'ready', device: open });
  }

  async function wait(current: LoginSession, { deviceId }: OwnDevice): Promise<void> {
    const code = await loadCode(depsOf(current));
    const hasMessages = (await store.list(MESSAGES)).length > 0;
    state.set({ state: 'waiting', accountId: current.userId, deviceId, code, hasMessages });
    checkApprovalLater();
  }

  function checkApprovalLater(): void {
    stopTimer();
    stopTimer = platform.setTimer(() => {
      inTurn(askForApproval)
        .catch(async (error: unknown) => {
          // Revoked instead of approved: its login session has ended with it.
          if (error instanceof ApiError && error.status === 401) await leaveFor(reasonOf(error));
        })
        .finally(() => {
          if (!closed && state.getSnapshot().state === 'waiting') checkApprovalLater();
        });
    }, APPROVAL_MS);
  }

  /** A device is let in once, however often it asks meanwhile: two on one store would fork its keys. */
  const { run } = createKeyedQueue();
  const inTurn = (work: () => Promise<void>): Promise<void> => run('approval', work);

  async function askForApproval(): Promise<void> {
    const current = need();
    if (state.getSnapshot().state !== 'waiting' || own === undefined) return;
    const { devices } = await current.api.call(deviceRoutes.listDevices);
    const row = devices.find(({ device_id }) => device_id === own?.deviceId);
    // A server that leaves the device out may show it again; one that revoked it refuses its token.
    if (row?.welcome === undefined) return;
    const keys = await loadOrCreateKeys(store, platform.crypto, current.userId);
    const { deviceId } = own;
    const welcome = { deviceId, keys };
    if (!(await acceptWelcome(depsOf(current), row.welcome, welcome))) return;
    await enterListed(current);
  }

  async function enterListed(current: LoginSession): Promise<void> {
    if (state.getSnapshot().state !== 'waiting' || own === undefined) return;
    stopTimer();
    await proceed(current, { ...own, listed: true });
  }

  /** Nobody is signed in here any more. */
  async function leave(reason?: SignedOutReason): Promise<void> {
    stopTimer();
    const device = open;
    open = undefined;
    session = undefined;
    own = undefined;
    state.set({ state: 'signed_out', reason });
    await device?.close();
  }

  /** Not by this person, here: it is said, also after a restart. */
  async function leaveFor(reason: SignedOutReason): Promise<void> {
    await leave(reason);
    await dropLoginSession(store, reason);
  }

  /** Resumes the login session of the last run; without a network it retries until the server answers. */
  async function resume(current: LoginSession): Promise<void> {
    try {
      await start(current);
    } catch (error) {
      const isOurs = error instanceof ApiError || isParleyError(error, 'CLOSED', 'KEYSTORE_EMPTY', 'KEYSTORE_FOREIGN');
      if (!isOurs) throw error;
      if (error instanceof ApiError && error.status === 401) {
        return leaveFor(reasonOf(error));
      }
      if (closed) return;
      state.set({ state: 'opening', accountId: current.userId });
      stopTimer = platform.setTimer(() => void resume(current).catch(() => {}), RETRY_MS);
    }
  }

  async function enter(signIn: (api: LoginSession['api']) => Promise<Tokens>, isFounder = false): Promise<void> {
    if (session !== undefined) throw clientError('SIGNED_IN');
    const { api, refreshToken } = createSignIn({ ...options, store });
    const tokens = await signIn(api);
    const keys = await loadOwnKeys(store);
    if (keys !== undefined && keys.owner !== tokens.user_id) throw clientError('OTHER_ACCOUNT');
    // Before the login session: a device that forgot that it made the account would believe the server about its key.
    if (isFounder) await store.write(new Map([founderEntry(tokens.user_id)]));
    const next = await openLoginSession({ ...options, store }, tokens, refreshToken());
    try {
      await start(next, true);
    } catch (error) {
      // Or the next try would be refused because someone is signed in already. The next start goes on with this session.
      if (state.getSnapshot().state === 'signed_out') session = undefined;
      throw error;
    }
  }

  const restored = await restoreLoginSession({ ...options, store });
  if (restored !== undefined) await resume(restored);
  else state.set({ state: 'signed_out', reason: await readReason(store) });

  return {
    session: { getSnapshot: state.getSnapshot, subscribe: state.subscribe },
    register: (account) => enter((api) => api.call(authRoutes.register, { body: account }), true),
    login: (credentials) => enter((api) => api.call(authRoutes.login, { body: credentials })),
    async signIn(tokens, { registered = false } = {}) {
      // The cookie is that of the new login session already, which is not bound to this device yet.
      if (session?.userId === tokens.user_id) await leave();
      await enter(async () => tokens, registered);
    },
    async logout() {
      const current = need();
      await leave(await readReason(store));
      await endLoginSession(store, current);
    },
    async forget() {
      const [current, deviceId] = [session, own?.deviceId];
      await leave();
      if (current !== undefined && deviceId !== undefined) await revokeThisDevice(depsOf(current), deviceId);
      if (current !== undefined) await endLoginSession(store, current);
      const rows = await store.list('');
      await store.write(new Map(rows.map(([key]) => [key, null])));
    },
    checkApproval: () => inTurn(askForApproval),
    async found() {
      const current = need();
      if (state.getSnapshot().state !== 'unfounded') return;
      try {
        await proceed(current, await found(depsOf(current), deviceName));
      } catch (error) {
        if (!isParleyError(error, 'ACCOUNT_TAKEN')) throw error;
        // Another device of the same person was faster.
        await abandonFounding(depsOf(current));
        await proceed(current, await waitForApproval(depsOf(current), deviceName));
      }
    },
    recover: (recovery, backup) =>
      inTurn(async () => {
        const current = need();
        if (own === undefined || state.getSnapshot().state !== 'waiting') return;
        const keys = await loadOrCreateKeys(store, platform.crypto, current.userId);
        await recoverDevice({ ...depsOf(current), own, keys }, recovery, backup);
        await enterListed(current);
      }),
    async renew() {
      const current = need();
      if (state.getSnapshot().state !== 'revoked') return;
      await dropRemovedDevice(store);
      await proceed(current, await registerDevice(depsOf(current), deviceName));
    },
    async owner() {
      const keys = await loadOwnKeys(store);
      if (keys === undefined) return undefined;
      return { accountId: keys.owner, hasRecoverySecret: (await loadRecoverySecret(store)) !== undefined };
    },
    locale: { getSnapshot: locale.getSnapshot, subscribe: locale.subscribe },
    setLocale(next) {
      locale.set(next);
      open?.redraw();
    },
    async close() {
      closed = true;
      stopTimer();
      await open?.close();
      await store.close();
    },
    async abandon() {
      closed = true;
      stopTimer();
      await open?.abandon();
      await store.close();
    },
  };
}
