import type { Store } from './store.ts';

/** Throws STORE_FULL if nothing may be received: it could not be kept, and must not be acknowledged (EE-26). */
export function checkRoom(store: Pick<Store, 'shortage'>): void {
  const shortage = store.shortage?.();
  if (shortage?.canReceive === false) throw shortage.error;
}
