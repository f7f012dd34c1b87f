import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isParleyError } from '@parley/base';
import { type Client, type ClientOptions, createClient } from '@parley/client';
import { createNodePlatform, openFileStore } from '@parley/client/node';
import type { Platform, Socket, Store } from '@parley/messenger';
import { openAccountApi } from '../account/api.ts';
import { createLoginSession } from '../account/login-session.ts';
import type { Words } from '../messages/index.ts';
import { deviceName } from './bind-session.ts';
import { deviceFolder } from './folder.ts';

const CLOSE_MS = 3_000;

interface OpenOptions {
  readonly words: Words;
  /** Without executors the device stays offline: it only manages the account, and no agent can reach it. */
  readonly executors?: ClientOptions['executors'];
  /** Opens the device even if nobody is signed in. */
  readonly signedOut?: boolean;
}

export interface OpenClient {
  readonly client: Client;
  readonly store: Store;
  /** Waits a bounded time; unfinished work continues at the next start. */
  close(): Promise<void>;
}

/** Opens the device of this machine at a server with the person's login. */
export async function openClient(baseUrl: string, options: OpenOptions): Promise<OpenClient> {
  const { words, executors, signedOut = false } = options;
  let store: Store | undefined;
  try {
    const folder = deviceFolder(baseUrl);
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    const kept = await openFileStore(folder);
    store = kept;
    const client = await createClient({
      baseUrl,
      store,
      platform: executors === undefined ? createOfflinePlatform() : createNodePlatform(),
      executors: executors ?? [],
      locale: words.locale,
      deviceName: deviceName(),
    });
    if (client.session.getSnapshot().state === 'signed_out' && !signedOut) {
      await client.signIn(await createLoginSession(openAccountApi(baseUrl, 'parley'), 'parley chat'));
    }
    // The device may have been approved since the last check, or shut out.
    if (client.session.getSnapshot().state === 'waiting') {
      await client.checkApproval().catch((error: unknown) => {
        if (!signedOut && isParleyError(error, 'UNAUTHENTICATED', 'DEVICE_REVOKED')) throw error;
      });
    }
    return { client, store: kept, close: () => closeSoon(client, kept) };
  } catch (error) {
    await store?.close().catch(() => {});
    throw error;
  }
}

async function closeSoon(client: Client, store: Store): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS);
  });
  // If a refresh token is exchanged but the new one is not saved, the next start looks like a theft to the server.
  const session = client.session.getSnapshot();
  if (session.state === 'ready') await Promise.race([session.device.api.token().catch(() => {}), late]);
  await Promise.race([client.close(), late]);
  clearTimeout(timer);
  // Releases the lock and does not delay the exit, whatever is still pending.
  await store.close();
  setTimeout(() => process.exit(), CLOSE_MS).unref();
}

function createOfflinePlatform(): Platform {
  const silent = { readyState: 0, bufferedAmount: 0, send: () => {}, close: () => {}, addEventListener: () => {} };
  return { ...createNodePlatform(), openSocket: () => silent as Socket };
}
