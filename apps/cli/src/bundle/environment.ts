import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { MirrorOptions, Roots } from '@parley/bundles';
import { createGuardedFetch, type GuardedFetch } from '@parley/guarded-fetch';
import { chooseServer, readServerUrl } from '../account/server-url.ts';
import { CommandError } from '../command-error.ts';
import { globalRoot, readConfig, type Target } from './config.ts';

export interface BundleOptions {
  readonly workspace?: string;
  readonly registry?: string;
  readonly target?: Target;
  readonly allowShortDigest?: boolean;
  readonly json?: boolean;
}

/** The settings a command works with: its options, otherwise what `roleos init` saved. */
export interface BundleEnvironment {
  readonly roots: Roots;
  readonly target: Target;
  readonly registry: string;
  readonly mirrors: NonNullable<MirrorOptions['mirrors']>;
  readonly fetch: GuardedFetch;
}

const MAX_FILE = 64 * 1024 * 1024;
const FETCH_MS = 60_000;

export function readEnvironment(options: BundleOptions): BundleEnvironment {
  const config = readConfig();
  const workspace = options.workspace ?? process.env.ROLEOS_WORKSPACE ?? config?.workspace;
  if (workspace === undefined || workspace === '') {
    throw new CommandError('WORKSPACE_UNKNOWN');
  }
  if (!existsSync(workspace)) {
    const sentence = { key: 'bundle.no_folder', params: { file: resolve(workspace) } } as const;
    throw new CommandError('FOLDER_NOT_FOUND', { sentences: [sentence] });
  }
  const registry = chooseRegistry(options);
  return {
    roots: { workspace: resolve(workspace), ...(config === undefined ? {} : { global: globalRoot() }) },
    target: options.target ?? config?.target ?? 'openclaw',
    registry,
    mirrors: {
      official: { url: `${registry}/mirror/` },
      ...Object.fromEntries(
        Object.entries(config?.mirrors ?? {}).map(([name, location]) => [name, readMirror(location)]),
      ),
    },
    fetch: fetchFor(registry),
  };
}

export function chooseRegistry({ registry }: { readonly registry?: string | undefined }): string {
  if (registry !== undefined) return readServerUrl(registry);
  const configured = readConfig()?.registry;
  return configured == null || process.env.PARLEY_URL ? chooseServer(undefined) : readServerUrl(configured);
}

/** Fetches only from public addresses, and from this machine if the person's registry is local. */
export function fetchFor(registry: string): GuardedFetch {
  return createGuardedFetch({
    allowPrivate: false,
    allowLoopback: registry.startsWith('http:'),
    maxBytes: MAX_FILE,
    timeoutMs: FETCH_MS,
    maxRedirects: 0,
  });
}

const readMirror = (location: string) =>
  /^https?:\/\//.test(location) ? { url: location } : { folder: resolve(location) };
