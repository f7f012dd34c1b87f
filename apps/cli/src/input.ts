import { open } from 'node:fs/promises';
import { EXIT, Failure } from './failure.ts';
import type { MessageKey } from './messages/index.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** `-` is standard input, as everywhere. */
export const STDIN = '-';

export async function readInput(file: string): Promise<Uint8Array> {
  try {
    return file === STDIN ? await collect(process.stdin, file) : await readFile(file);
  } catch (error) {
    throw explain(error, file);
  }
}

async function readFile(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    // Read with a bound instead of asking for the size: pipes and devices say 0 and never end.
    return await collect(handle.createReadStream({ autoClose: false, end: MAX_BYTES }), file);
  } finally {
    await handle.close();
  }
}

async function collect(stream: AsyncIterable<Uint8Array>, file: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_BYTES) {
      throw new Failure('INPUT_TOO_LARGE', EXIT.bad, {
        key: 'input.too_large',
        params: { file, mib: MAX_BYTES / 1024 / 1024 },
      });
    }
  }
  return Buffer.concat(chunks);
}

/** The system's refusal in words. Anything else is a mistake of ours and goes on as it is. */
function explain(error: unknown, file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const because = (name: string, key: MessageKey) =>
    new Failure(name, EXIT.environment, { key, params: { file, reason: code } });
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return because('FILE_NOT_FOUND', 'input.not_found');
    case 'EISDIR':
      return because('FILE_IS_DIRECTORY', 'input.is_directory');
    case 'EACCES':
    case 'EPERM':
      return because('FILE_NOT_READABLE', 'input.not_readable');
    default:
      return because('FILE_NOT_READABLE', 'input.failed');
  }
}
