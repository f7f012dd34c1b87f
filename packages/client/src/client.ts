import { createObservable, isParleyError, type Locale, type Readable } from '@parley/base';
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
import type { RecoverySecret } from './account/account-key.ts';
import {
  createSignIn,
  dropLoginSession,
  endLoginSession,
  type LoginSession,
  openLoginSession,
  restoreLoginSession,
} from './account/login-session.ts';
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

export type LoginSessionState =
  | { readonly state: 'signed_out' }
  /** Signed in, but the server could not be reached yet; the client retries by itself. */
  | { readonly state: 'opening'; readonly accountId: string }
  /** EE-16: the server says that the account has no device yet. If that is true, the person begins it here: `found`. */
  | { readonly state: 'unfounded'; readonly accountId: string }
  /** EE-16: not let in yet. `code` is what has to be typed on a device that keeps the account key. */
  | { readonly state: 'waiting'; readonly accountId: string; readonly deviceId: string; readonly code: string }
  | { readonly state: 'ready'; readonly device: Device };

export type Tokens = ReplyOf<typeof authRoutes.login>;

export interface Client {
  readonly session: Readable<LoginSessionState>;
  register(account: BodyOf<typeof authRoutes.register>): Promise<void>;
  login(credentials: BodyOf<typeof authRoutes.login>): Promise<void>;
  /**
   * Signs in with tokens from any other method: a passkey, or the device flow. `registered` says that the account has
   * just been made here: then this device makes its key, whatever the server answers (EE-16).
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
  /** A waiting device approves itself with the recovery secret of the account. */
  recover(recovery: RecoverySecret, options?: BackupOptions): Promise<void>;
  readonly locale: Readable<Locale>;
  setLocale(locale: Locale): void;
  close(): Promise<void>;
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
    // A known device starts without asking the server; a new login session has to be bound to the device first.
    const device = kept === undefined || isNew ? await registerDevice(depsOf(next), deviceName) : readKept(kept);
    await proceed(next, device);
  }

  async function proceed(current: LoginSession, device: Registered): Promise<void> {
    if (device === 'unfounded') {
      state.set({ state: 'unfounded', accountId: current.userId });
      return;
    }
    own = device;
    await store.write(new Map([[DEVICE, JSON.stringify(device)]]));
    if (!device.listed) return wait(current, device);
    const keys = await loadOrCreateKeys(store, platform.crypto, current.userId);
    open = await openDevice({
      session: current,
      own: device,
      keys,
      store,
      platform,
      executors: typeof executors === 'function' ? executors(current.api, current.userId) : executors,
      audit: options.audit,
      locale: locale.getSnapshot,
      onRevoked: () =>
        void leave()
          .then(() => dropLoginSession(store))
          .catch(() => {}),
    });
    state.set({ state: 'ready', device: open });
  }

  async function wait(current: LoginSession, { deviceId }: OwnDevice): Promise<void> {
    const code = await loadCode(depsOf(current));
    state.set({ state: 'waiting', accountId: current.userId, deviceId, code });
    checkApprovalLater();
  }

  function checkApprovalLater(): void {
    stopTimer();
    stopTimer = platform.setTimer(() => {
      checkApproval()
        .catch(async (error: unknown) => {
          // Revoked instead of approved: its login session has ended with it.
          if (!(error instanceof ApiError && error.status === 401)) return;
          await leave();
          await dropLoginSession(store);
        })
        .finally(() => {
          if (!closed && state.getSnapshot().state === 'waiting') checkApprovalLater();
        });
    }, APPROVAL_MS);
  }

  async function checkApproval(): Promise<void> {
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
  async function leave(): Promise<void> {
    stopTimer();
    const device = open;
    open = undefined;
    session = undefined;
    own = undefined;
    state.set({ state: 'signed_out' });
    await device?.close();
  }

  /** Resumes the login session of the last run; without a network it retries until the server answers. */
  async function resume(current: LoginSession): Promise<void> {
    try {
      await start(current);
    } catch (error) {
      const isOurs = error instanceof ApiError || isParleyError(error, 'CLOSED', 'KEYSTORE_EMPTY', 'KEYSTORE_FOREIGN');
      if (!isOurs) throw error;
      if (error instanceof ApiError && error.status === 401) {
        await leave();
        return dropLoginSession(store);
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
    await start(await openLoginSession({ ...options, store }, tokens, refreshToken()), true);
  }

  const restored = await restoreLoginSession({ ...options, store });
  if (restored !== undefined) await resume(restored);

  return {
    session: { getSnapshot: state.getSnapshot, subscribe: state.subscribe },
    register: (account) => enter((api) => api.call(authRoutes.register, { body: account }), true),
    login: (credentials) => enter((api) => api.call(authRoutes.login, { body: credentials })),
    signIn: (tokens, { registered = false } = {}) => enter(async () => tokens, registered),
    async logout() {
      const current = need();
      await leave();
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
    checkApproval,
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
    async recover(recovery, backup) {
      const current = need();
      if (own === undefined || state.getSnapshot().state !== 'waiting') return;
      const keys = await loadOrCreateKeys(store, platform.crypto, current.userId);
      await recoverDevice({ ...depsOf(current), own, keys }, recovery, backup);
      await enterListed(current);
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
  };
}
