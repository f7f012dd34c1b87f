import { createObservable, type Readable } from '@parley/base';
import type { Store } from '@parley/messenger';
import { type AccountDenials, type Denial, type DenialsOptions, loadAccountDenials } from './account-denials.ts';
import type { QuestionStop } from './decide.ts';
import { type Reach, type Window, type WindowSubject, windowEnd, windowKey } from './window.ts';

export interface PermissionsSnapshot {
  readonly windows: ReadonlyMap<string, Window>;
  readonly denials: ReadonlyMap<string, Denial>;
  /** By agent. */
  readonly questionStops: ReadonlyMap<string, QuestionStop>;
}

/**
 * The answers that are remembered: silent windows and "stop asking for an hour" by this device alone, "always deny" by
 * all devices of the account.
 */
export interface Permissions extends Readable<PermissionsSnapshot> {
  /** The first use opens a window; another use extends it. */
  useWindow(agentId: string, subject: WindowSubject & { readonly reach: Reach }, now: number): Promise<void>;
  /** By its `windowKey`. Returns what was closed. */
  closeWindow(key: string): Promise<Window | undefined>;
  /** The person takes back that they closed it. What has changed since has ended it all the same. */
  reopenWindow(window: Window): Promise<void>;
  /** Closes the windows of an agent, or of one of its scopes. */
  closeWindows(agentId: string, scope?: string): Promise<void>;
  denyAlways(denial: Denial): Promise<void>;
  removeDenial(denial: Pick<Denial, 'agentId' | 'toolName'>, now: number): Promise<void>;
  readonly accountDenials: AccountDenials;
  /** Nobody is asked about calls of this agent for an hour (CG-14). */
  stopAsking(agentId: string, now: number): Promise<QuestionStop>;
  /** Returns what ended by it. */
  askAgain(agentId: string): Promise<QuestionStop | undefined>;
  /** The person takes back that they ended it. */
  stopAgain(stop: QuestionStop): Promise<void>;
  /**
   * Removes windows and stops that ended before this time. Until then they only end: a clock that jumped may be put right
   * (EE-25).
   */
  prune(time: Date): Promise<void>;
}

const WINDOW = 'client/window/';
const STOP = 'client/question-stop/';
const STOP_MS = 60 * 60 * 1000;
/** A window that slides is written at most this often: after a crash it may end this much earlier, never later. */
const SLIDE_MS = 60_000;

export async function loadPermissions(store: Store, options: DenialsOptions): Promise<Permissions> {
  const [windowRows, stopRows] = await Promise.all([WINDOW, STOP].map((prefix) => store.list(prefix)));
  const accountDenials = await loadAccountDenials(store, options);
  // One of an earlier version has no edge, and would cover more than anyone allowed (CG-15).
  const held = windowRows!.map(([key, text]) => ({ key, window: JSON.parse(text) as Window }));
  const old = held.filter(({ window }) => window.reach === undefined);
  if (old.length > 0) await store.write(new Map(old.map(({ key }) => [key, null])));
  const windows = new Map(
    held.filter((one) => !old.includes(one)).map(({ window }) => [windowKey(window), window] as const),
  );
  const stops = stopRows!.map(([, text]) => JSON.parse(text) as QuestionStop);
  const questionStops = new Map(stops.map((stop) => [stop.agentId, stop]));
  const state = createObservable<PermissionsSnapshot>({
    windows,
    denials: accountDenials.getSnapshot(),
    questionStops,
  });
  const change = (next: Partial<PermissionsSnapshot>) => state.set({ ...state.getSnapshot(), ...next });
  accountDenials.subscribe(() => change({ denials: accountDenials.getSnapshot() }));
  const written = new Map([...windows].map(([key, { usedAt }]) => [key, usedAt]));

  const close = async (fits: (key: string, window: Window) => boolean): Promise<void> => {
    const { windows } = state.getSnapshot();
    const closed = [...windows].filter(([key, window]) => fits(key, window)).map(([key]) => key);
    if (closed.length === 0) return;
    const left = new Map(windows);
    for (const key of closed) {
      left.delete(key);
      written.delete(key);
    }
    change({ windows: left });
    await store.write(new Map(closed.map((key) => [WINDOW + key, null])));
  };

  const askAgain = async (agentId: string): Promise<QuestionStop | undefined> => {
    const left = new Map(state.getSnapshot().questionStops);
    const stop = left.get(agentId);
    if (!left.delete(agentId)) return undefined;
    change({ questionStops: left });
    await store.write(new Map([[STOP + agentId, null]]));
    return stop;
  };
  const stopAgain = async (stop: QuestionStop): Promise<void> => {
    change({ questionStops: new Map(state.getSnapshot().questionStops).set(stop.agentId, stop) });
    await store.write(new Map([[STOP + stop.agentId, JSON.stringify(stop)]]));
  };

  return {
    getSnapshot: state.getSnapshot,
    subscribe: state.subscribe,
    async useWindow(agentId, subject, now) {
      const { windows } = state.getSnapshot();
      const key = windowKey(subject);
      const held = windows.get(key);
      const same = held !== undefined && held.digest === subject.digest && held.epoch === subject.epoch;
      const window: Window = { ...subject, agentId, openedAt: same ? held.openedAt : now, usedAt: now };
      change({ windows: new Map(windows).set(key, window) });
      if (same && now - (written.get(key) ?? 0) < SLIDE_MS) return;
      written.set(key, now);
      await store.write(new Map([[WINDOW + key, JSON.stringify(window)]]));
    },
    async prune(time) {
      await close((_, window) => windowEnd(window) <= time.getTime());
      const { questionStops } = state.getSnapshot();
      const ended = [...questionStops.values()].filter(({ until }) => until <= time.getTime());
      for (const { agentId } of ended) await askAgain(agentId);
    },
    async closeWindow(wanted) {
      const window = state.getSnapshot().windows.get(wanted);
      await close((key) => key === wanted);
      return window;
    },
    async reopenWindow(window) {
      const { windows } = state.getSnapshot();
      const key = windowKey(window);
      // Opened anew meanwhile: that one is newer.
      if (windows.has(key)) return;
      change({ windows: new Map(windows).set(key, window) });
      written.set(key, window.usedAt);
      await store.write(new Map([[WINDOW + key, JSON.stringify(window)]]));
    },
    closeWindows: (agentId, scope) =>
      close((_, window) => window.agentId === agentId && (scope === undefined || window.scope === scope)),
    denyAlways: (denial) => accountDenials.decide(denial, { denied: true, at: denial.createdAt }),
    removeDenial: (denial, now) => accountDenials.decide(denial, { denied: false, at: now }),
    accountDenials,
    async stopAsking(agentId, now) {
      const stop: QuestionStop = { agentId, createdAt: now, until: now + STOP_MS };
      await stopAgain(stop);
      return stop;
    },
    askAgain,
    stopAgain,
  };
}
