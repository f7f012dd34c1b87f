import * as promises from 'node:fs/promises';

/** What the engine needs of a file system. Tests put another one here: one that stops at the nth operation. */
export type FileSystem = Pick<
  typeof promises,
  'open' | 'mkdir' | 'rename' | 'link' | 'unlink' | 'rmdir' | 'lstat' | 'readdir' | 'realpath'
>;

export const nodeFiles: FileSystem = promises;

/** The `code` of a system error, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The answer, or undefined where the system says one of these codes. */
export async function unless<Result>(
  codes: readonly string[],
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await run();
  } catch (error) {
    if (codes.includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}
