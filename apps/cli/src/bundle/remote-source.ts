import { readServerUrl } from '../account/server-url.ts';
import { openAnyway } from '../account/session.ts';
import { EXIT, Failure } from '../failure.ts';
import { downloadBundle } from './registry.ts';
import { ID, nowhere, readText, type Source, type SourceOptions } from './source.ts';
import { chooseRegistry, fetchFor } from './surroundings.ts';

const IN_REGISTRY = /^\/bundles\/([^/]+)(?:\/versions\/([^/]+))?\/?$/;

export async function loadAddress(address: string, options: SourceOptions): Promise<Source> {
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
  const api = openAnyway(registry);
  const { origin, manifest, kitFiles } = await downloadBundle(api, { id, version, fetch: fetchFor(registry), signal });
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  return { ...nowhere(version === undefined ? id : `${id}@${version}`, bytes), manifest, kitFiles, registry, origin };
}
