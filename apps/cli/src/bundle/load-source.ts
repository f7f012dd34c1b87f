import { ID, loadLocal, type Source, type SourceOptions } from './source.ts';

const ADDRESS = /^https?:\/\//i;

/** An id of the registry (`id`, `id@version`), an address, a folder or a file. A folder with the name of an id is `./id`. */
export async function loadSource(reference: string, options: SourceOptions): Promise<Source> {
  const isAddress = ADDRESS.test(reference);
  if (!isAddress && !ID.test(reference)) return loadLocal(reference, options.locale);
  // Loaded only here: what lies on this machine needs no network.
  const { loadAddress, loadId } = await import('./remote-source.ts');
  return isAddress ? loadAddress(reference, options) : loadId(reference, options);
}
