import { sha256 } from '../sha256.ts';
import type { KitFile } from './kit-file.ts';

/** The digest of BA-6: SHA-256 over the lines `path:sha256(file)`, sorted by UTF-8 bytes, joined by newlines. */
export function digestFiles(files: readonly Pick<KitFile, 'path' | 'bytes'>[]): string {
  const lines = files.map(({ path, bytes }) => Buffer.from(`${path}:${sha256(bytes)}`));
  return sha256(lines.sort(Buffer.compare).map(String).join('\n'));
}

/**
 * Does the content have this digest (`sha256:` and 8 to 64 digits)? A short digest matches every longer one that begins
 * with it.
 */
export function matchesDigest(digest: string, content: string): boolean {
  return digest.startsWith('sha256:') && content.startsWith(digest.slice('sha256:'.length));
}

export const isShortDigest = (digest: string): boolean => digest.length < 'sha256:'.length + 64;
