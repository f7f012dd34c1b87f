import * as promises from 'node:fs/promises';

/** The part of the file system that the engine uses. Tests replace it with one that stops at the nth operation. */
export type FileSystem = Pick<
  typeof promises,
  'open' | 'mkdir' | 'rename' | 'link' | 'unlink' | 'rmdir' | 'lstat' | 'readdir' | 'realpath'
>;

export const nodeFiles: FileSystem = promises;

/** The `code` of a system error, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the result, or undefined if the call fails with one of these codes. */
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
