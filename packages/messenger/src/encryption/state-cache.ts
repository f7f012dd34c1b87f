import { readState, writeState } from '@parley/e2ee';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';

/**
 * States of which a few are in memory and all are in the store. Memory is ahead; the store follows with the next batch,
 * and until then a state is not dropped from memory.
 */
export interface StateCache<State extends object> {
  /** Returns only what is in memory. */
  peek(key: string): State | undefined;
  load(key: string): Promise<State | undefined>;
  /** Puts a state into memory that need not be stored yet: it can be made again. */
  put(key: string, state: State): void;
  set(key: string, state: State): void;
}

export function createStateCache<State extends object>(
  store: Pick<Store, 'get'>,
  writeBuffer: Pick<WriteBuffer, 'set' | 'afterSave'>,
  size: number,
): StateCache<State> {
  // In the order of their last use.
  const states = new Map<string, State>();
  /** Changed since the last batch was made. */
  const changed = new Set<string>();
  /** Being read. The read may have begun before the last change, so the state stays until it ends. */
  const loading = new Map<string, Promise<State | undefined>>();

  const put = (key: string, state: State): void => {
    states.delete(key);
    states.set(key, state);
  };
  const peek = (key: string): State | undefined => {
    const state = states.get(key);
    if (state !== undefined) put(key, state);
    return state;
  };
  /** Called when a batch is on disk: whatever has not changed since can be read again. */
  const trim = (): void => {
    for (const key of states.keys()) {
      if (states.size <= size) return;
      if (!changed.has(key) && !loading.has(key)) states.delete(key);
    }
  };
  writeBuffer.afterSave(trim);

  const read = async (key: string): Promise<State | undefined> => {
    try {
      const text = await store.get(key);
      // It may have been set during the read.
      const state = peek(key) ?? (text === undefined ? undefined : readState<State>(text));
      if (state !== undefined) put(key, state);
      return state;
    } finally {
      loading.delete(key);
    }
  };

  return {
    peek,
    load: async (key) => {
      const known = peek(key);
      if (known !== undefined) return known;
      const state = loading.get(key) ?? read(key);
      loading.set(key, state);
      return state;
    },
    put,
    set: (key, state) => {
      put(key, state);
      changed.add(key);
      writeBuffer.set(key, () => {
        changed.delete(key);
        return writeState(states.get(key)!);
      });
    },
  };
}
