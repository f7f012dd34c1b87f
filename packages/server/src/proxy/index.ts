import { createGuardedFetch } from '@parley/guarded-fetch';
import { proxyRoutes } from '@parley/protocol';
import { requireHuman } from '../http/caller.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { createProxyFetch } from './fetch.ts';

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 25_000;
const MAX_REDIRECTS = 5;

export function registerProxy(router: Router, { config }: Platform): void {
  const fetch = createProxyFetch(
    createGuardedFetch({
      // Anyone names these addresses, unlike a webhook's, which its owner sets: development mode alone opens nothing.
      allowPrivate: config.allowPrivateAddresses,
      allowLoopback: config.allowPrivateAddresses,
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
    }),
  );
  router.addWithoutTurn(proxyRoutes.proxyFetch, ({ caller, body }) => fetch(requireHuman(caller).accountId, body));
}
