const WORKER = '/app/sw.js';

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

let waiting: ServiceWorker | undefined;
const listeners = new Set<() => void>();

/** True when a newer version of the pages is here and waits to be used. */
export const updateReady = {
  getSnapshot: () => waiting !== undefined,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/** Registers the service worker, which keeps the pages for offline use. Without it they work, but not offline. */
export async function keepPages(): Promise<void> {
  const container = navigator.serviceWorker;
  if (container === undefined) return;
  const registration = await container.register(trust(WORKER), { scope: '/app/' }).catch(() => undefined);
  if (registration === undefined) return;
  const look = () => {
    // The first version has nothing to replace.
    if (registration.waiting === null || container.controller === null) return;
    waiting = registration.waiting;
    for (const listener of listeners) listener();
  };
  look();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void registration.update().catch(() => {});
  });
}

export function applyUpdate(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  waiting?.postMessage('activate');
}

/** The page's policy accepts the address of a script only from here, and there is only this one. */
function trust(url: typeof WORKER): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return url;
  const createScriptURL = (given: string) => {
    if (given !== WORKER) throw new TypeError('url: not the service worker');
    return given;
  };
  return trustedTypes.createPolicy('parley', { createScriptURL }).createScriptURL(url);
}
