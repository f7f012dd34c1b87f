// Caches the files of the pages, so that they open offline. Replies of the API are never cached.

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface NotificationEvent extends WorkerEvent {
  readonly notification: Notification;
}
interface Page {
  readonly url: string;
  focus(): Promise<unknown>;
}
interface Scope {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void>; matchAll(options: { type: 'window' }): Promise<readonly Page[]> };
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent & WorkerEvent) => void): void;
}

/** The build inserts all files of the site and a hash of them. */
declare const SITE: { readonly files: readonly string[]; readonly version: string };

const scope = globalThis as unknown as Scope;
const BASE = '/app/';
const PREFIX = 'parley-site-';
const CACHE = PREFIX + SITE.version;
const FILES = new Set(SITE.files.map((file) => BASE + file));

scope.addEventListener('install', (event) => {
  // Bypasses the browser's cache, because a page and its files must be of one version.
  const requests = [BASE, ...FILES].map((path) => new Request(path, { cache: 'no-cache' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(
    caches.keys().then(async (names) => {
      const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
      await Promise.all(old.map((name) => caches.delete(name)));
      await scope.clients.claim();
    }),
  );
});

// The person chose to update: pages of the old version are about to reload.
scope.addEventListener('message', (event) => {
  // Or the browser may stop this worker before it has asked.
  if (event.data === 'activate') event.waitUntil(scope.skipWaiting());
});

// The page that asked is still open, otherwise it would have closed the notification.
scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(scope.clients.matchAll({ type: 'window' }).then(([page]) => page?.focus()));
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || !pathname.startsWith(BASE)) return;
  if (request.mode === 'navigate') event.respondWith(openPage(request));
  else if (FILES.has(pathname)) event.respondWith(findFile(request));
});

/** Asks the network first, so that whoever is online gets the newest page. */
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(BASE, { cacheName: CACHE });
    if (kept === undefined) throw error;
    return kept;
  }
}

async function findFile(request: Request): Promise<Response> {
  return (await caches.match(request.url, { cacheName: CACHE })) ?? fetch(request);
}
