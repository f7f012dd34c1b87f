import { createObservable, type Readable } from '@parley/base';
import type { Store } from '@parley/messenger';
import { denialKey } from './decide.ts';
import { type Window, type WindowSubject, windowEnd, windowKey } from './window.ts';

/** "Always deny", until removed (CG-6). */
export interface Denial {
  readonly agentId: string;
  readonly toolName: string;
  readonly createdAt: number;
}

export interface PermissionsSnapshot {
  readonly windows: ReadonlyMap<string, Window>;
  readonly denials: ReadonlyMap<string, Denial>;
}

/** The answers that this device remembers: silent windows and "always deny". */
export interface Permissions extends Readable<PermissionsSnapshot> {
  /** The first use opens a window; another use extends it. */
  useWindow(agentId: string, subject: WindowSubject, now: number): Promise<void>;
  closeWindow(subject: Pick<WindowSubject, 'conversationId' | 'tool' | 'scope'>): Promise<void>;
  /** Closes the windows of an agent, or of one of its scopes. */
  closeWindows(agentId: string, scope?: string): Promise<void>;
  denyAlways(denial: Denial): Promise<void>;
  removeDenial(denial: Pick<Denial, 'agentId' | 'toolName'>): Promise<void>;
  /** Removes windows that ended before this time. Until then they only end: a clock that jumped may be put right (EE-25). */
  prune(time: Date): Promise<void>;
}

const WINDOW = 'client/window/';
const DENIAL = 'client/denial/';
/** A window that slides is written at most this often: after a crash it may end this much earlier, never later. */
const SLIDE_MS = 60_000;

export async function loadPermissions(store: Store): Promise<Permissions> {
  const [windowRows, denialRows] = await Promise.all([store.list(WINDOW), store.list(DENIAL)]);
  const windows = new Map(windowRows.map(([key, text]) => [key.slice(WINDOW.length), JSON.parse(text) as Window]));
  const denials = new Map(denialRows.map(([key, text]) => [key.slice(DENIAL.length), JSON.parse(text) as Denial]));
  const state = createObservable<PermissionsSnapshot>({ windows, denials });
  const written = new Map([...windows].map(([key, { usedAt }]) => [key, usedAt]));

  const close = async (fits: (window: Window) => boolean): Promise<void> => {
    const { windows, denials } = state.getSnapshot();
    const closed = [...windows].filter(([, window]) => fits(window)).map(([key]) => key);
    if (closed.length === 0) return;
    const left = new Map(windows);
    for (const key of closed) {
      left.delete(key);
      written.delete(key);
    }
    state.set({ windows: left, denials });
    await store.write(new Map(closed.map((key) => [WINDOW + key, null])));
  };

  return {
    getSnapshot: state.getSnapshot,
    subscribe: state.subscribe,
    async useWindow(agentId, subject, now) {
      const { windows, denials } = state.getSnapshot();
      const key = windowKey(subject);
      const held = windows.get(key);
      const same = held !== undefined && held.digest === subject.digest && held.epoch === subject.epoch;
      const window: Window = { ...subject, agentId, openedAt: same ? held.openedAt : now, usedAt: now };
      state.set({ windows: new Map(windows).set(key, window), denials });
      if (same && now - (written.get(key) ?? 0) < SLIDE_MS) return;
      written.set(key, now);
      await store.write(new Map([[WINDOW + key, JSON.stringify(window)]]));
    },
    prune: (time) => close((window) => windowEnd(window) <= time.getTime()),
    closeWindow: (subject) => close((window) => windowKey(window) === windowKey(subject)),
    closeWindows: (agentId, scope) =>
      close((window) => window.agentId === agentId && (scope === undefined || window.scope === scope)),
    async denyAlways(denial) {
      const { windows, denials } = state.getSnapshot();
      const key = denialKey(denial);
      state.set({ windows, denials: new Map(denials).set(key, denial) });
      await store.write(new Map([[DENIAL + key, JSON.stringify(denial)]]));
    },
    async removeDenial(denial) {
      const { windows, denials } = state.getSnapshot();
      const key = denialKey(denial);
      const left = new Map(denials);
      if (!left.delete(key)) return;
      state.set({ windows, denials: left });
      await store.write(new Map([[DENIAL + key, null]]));
    },
  };
}
