import { ID, loadLocal, type Source, type SourceOptions } from './source.ts';

const ADDRESS = /^https?:\/\//i;

/** Loads `id` or `id@version` of the registry, an address, a folder or a file. A folder named like an id is written `./id`. */
export async function loadSource(reference: string, options: SourceOptions): Promise<Source> {
  const isAddress = ADDRESS.test(reference);
  if (!isAddress && !ID.test(reference)) return loadLocal(reference, options.locale);
  // It is loaded only here, because local files need no network.
  const { loadAddress, loadId } = await import('./remote-source.ts');
  return isAddress ? loadAddress(reference, options) : loadId(reference, options);
}
