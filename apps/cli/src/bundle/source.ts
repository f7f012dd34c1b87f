import { statSync } from 'node:fs';
import { type KitFiles, readBundleFolder } from '@parley/bundles';
import type { Locale } from '@parley/documents';
import { type BundleValidation, parseBundle, rejectBundle } from '@parley/documents/bundle';
import { readServerUrl } from '../account/server-url.ts';
import { openAnyway } from '../account/session.ts';
import { EXIT, Failure } from '../failure.ts';
import { readInput, STDIN } from '../input.ts';
import { downloadBundle, type Origin } from './registry.ts';
import { chooseRegistry, fetchFor } from './surroundings.ts';

/** A bundle from anywhere, not yet checked. */
export interface Source {
  readonly name: string;
  /** The manifest's text, where findings are shown by line. */
  readonly bytes: Uint8Array;
  /** What was read, or why it is no JSON. */
  readonly manifest: unknown;
  readonly rejected: BundleValidation | undefined;
  readonly kitFiles: KitFiles;
  /** The host it came from; `official` mirrors are looked for there. */
  readonly registry: string | undefined;
  readonly origin: Origin | undefined;
}

interface SourceOptions {
  readonly registry?: string | undefined;
  readonly locale: Locale;
  readonly signal: AbortSignal;
}

const ID = /^([a-z0-9]+(?:-[a-z0-9]+)*)(?:@([0-9A-Za-z.+-]+))?$/;
const ADDRESS = /^https?:\/\//i;
const IN_REGISTRY = /^\/bundles\/([^/]+)(?:\/versions\/([^/]+))?\/?$/;

/** An id of the registry (`id`, `id@version`), an address, a folder or a file. A folder with the name of an id is `./id`. */
export async function loadSource(wish: string, options: SourceOptions): Promise<Source> {
  if (ADDRESS.test(wish)) return loadAddress(wish, options);
  const [, id, version] = ID.exec(wish) ?? [];
  if (id === undefined) return loadLocal(wish, options.locale);
  const registry = chooseRegistry(options);
  return loadFromRegistry({ ...options, registry, id, version });
}

/** What lies on this machine; `-` is the manifest on standard input. */
export async function loadLocal(path: string, locale: Locale): Promise<Source> {
  if (path !== STDIN && statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const file = `${path.replace(/\/+$/, '')}/manifest.json`;
    const bytes = await readInput(file);
    const folder = await readBundleFolder(path, locale);
    if (!folder.ok) return { ...nowhere(file, bytes), rejected: folder.validation };
    return { ...nowhere(file, bytes), manifest: folder.manifest, kitFiles: folder.kitFiles };
  }
  return readText(path, await readInput(path), locale);
}

function readText(name: string, bytes: Uint8Array, locale: Locale): Source {
  const parsed = parseBundle(bytes);
  if (!parsed.ok) return { ...nowhere(name, bytes), rejected: rejectBundle(parsed.findings, locale) };
  return { ...nowhere(name, bytes), manifest: parsed.value };
}

const nowhere = (name: string, bytes: Uint8Array): Source => ({
  name,
  bytes,
  manifest: undefined,
  rejected: undefined,
  kitFiles: new Map(),
  registry: undefined,
  origin: undefined,
});

async function loadAddress(address: string, options: SourceOptions): Promise<Source> {
  const registry = readServerUrl(address);
  const [, id, version] = IN_REGISTRY.exec(new URL(address).pathname) ?? [];
  if (id !== undefined && ID.test(id)) return loadFromRegistry({ ...options, registry, id, version });
  const failed = (reason: string) =>
    new Failure('DOWNLOAD_FAILED', EXIT.environment, { key: 'bundle.download', params: { url: address, reason } });
  const reply = await fetchFor(registry)(address, { signal: options.signal }).catch((error: unknown) => {
    options.signal.throwIfAborted();
    throw failed((error as { code?: string }).code ?? 'UNREACHABLE');
  });
  if (reply.status !== 200) throw failed(String(reply.status));
  return { ...readText(address, reply.body, options.locale), registry };
}

interface Wanted extends SourceOptions {
  readonly registry: string;
  readonly id: string;
  readonly version: string | undefined;
}

async function loadFromRegistry({ registry, id, version, signal }: Wanted): Promise<Source> {
  const api = openAnyway(registry);
  const { origin, manifest, kitFiles } = await downloadBundle(api, { id, version, fetch: fetchFor(registry), signal });
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  return { ...nowhere(version === undefined ? id : `${id}@${version}`, bytes), manifest, kitFiles, registry, origin };
}
