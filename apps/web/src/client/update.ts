import { createObservable, type Readable } from '@parley/base';

const WORKER = '/app/sw.js';
/** The browser lets the version before finish what it is doing. */
const ACTIVATION_MS = 5_000;

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

let waiting: ServiceWorker | undefined;
const isReady = createObservable(false);

/** True if a newer version of the pages is downloaded and not yet active. */
export const updateReady: Readable<boolean> = isReady;

/** Registers the service worker, which caches the pages for offline use. */
export async function keepPages(): Promise<void> {
  const container = navigator.serviceWorker;
  if (container === undefined) return;
  const registration = await container.register(trust(WORKER), { scope: '/app/' }).catch(() => undefined);
  if (registration === undefined) return;
  const checkWaiting = () => {
    // The first version does not replace another one.
    if (registration.waiting === null || container.controller === null) return;
    waiting = registration.waiting;
    isReady.set(true);
  };
  checkWaiting();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', checkWaiting);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void registration.update().catch(() => {});
  });
}

/** Reloads the page once the new version is active; after a while in any case, for someone waits who has clicked. */
export function applyUpdate(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  setTimeout(() => location.reload(), ACTIVATION_MS);
  waiting?.postMessage('activate');
}

/** The page's policy accepts the address of a script only from this function, which allows only this script. */
function trust(url: typeof WORKER): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return url;
  const createScriptURL = (given: string) => {
    if (given !== WORKER) throw new TypeError('url: not the service worker');
    return given;
  };
  return trustedTypes.createPolicy('parley', { createScriptURL }).createScriptURL(url);
}
