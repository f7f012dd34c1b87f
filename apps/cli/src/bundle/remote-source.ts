import { isParleyError } from '@parley/base';
import { openApi } from '../account/api.ts';
import { readServerUrl } from '../account/server-url.ts';
import { CommandError } from '../command-error.ts';
import { chooseRegistry, fetchFor } from './environment.ts';
import { downloadBundle } from './registry.ts';
import { ID, nowhere, readText, type Source, type SourceOptions } from './source.ts';

const IN_REGISTRY = /^\/bundles\/([^/]+)(?:\/versions\/([^/]+))?\/?$/;

export async function loadAddress(address: string, options: SourceOptions): Promise<Source> {
  const registry = readServerUrl(address);
  const [, id, version] = IN_REGISTRY.exec(new URL(address).pathname) ?? [];
  if (id !== undefined && ID.test(id)) return loadFromRegistry({ ...options, registry, id, version });
  const failed = (reason: string) => new CommandError('DOWNLOAD_FAILED', { params: { url: address, reason } });
  const reply = await fetchFor(registry)(address, { signal: options.signal }).catch((error: unknown) => {
    options.signal.throwIfAborted();
    if (!isParleyError(error)) throw error;
    throw failed(error.explain(options.locale));
  });
  if (reply.status !== 200) throw failed(String(reply.status));
  return { ...readText(address, reply.body, options.locale), registry };
}

export async function loadId(wish: string, options: SourceOptions): Promise<Source> {
  const [, id = '', version] = ID.exec(wish) ?? [];
  return loadFromRegistry({ ...options, registry: chooseRegistry(options), id, version });
}

interface Wanted extends SourceOptions {
  readonly registry: string;
  readonly id: string;
  readonly version: string | undefined;
}

async function loadFromRegistry({ registry, id, version, signal }: Wanted): Promise<Source> {
  const api = openApi(registry);
  const { origin, manifest, kitFiles } = await downloadBundle(api, { id, version, fetch: fetchFor(registry), signal });
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  return { ...nowhere(version === undefined ? id : `${id}@${version}`, bytes), manifest, kitFiles, registry, origin };
}
