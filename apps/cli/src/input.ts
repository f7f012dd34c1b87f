import { open } from 'node:fs/promises';
import { EXIT, Failure } from './failure.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** `-` is standard input, as everywhere. */
export const STDIN = '-';

export async function readInput(file: string): Promise<Uint8Array> {
  try {
    return file === STDIN ? await collect(process.stdin, file) : await readFile(file);
  } catch (error) {
    if (error instanceof Failure) throw error;
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

function explain(error: unknown, file: string): Failure {
  const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new Failure('FILE_NOT_FOUND', EXIT.environment, { key: 'input.not_found', params: { file } });
    case 'EISDIR':
      return new Failure('FILE_IS_DIRECTORY', EXIT.environment, { key: 'input.is_directory', params: { file } });
    case 'EACCES':
    case 'EPERM':
      return new Failure('FILE_NOT_READABLE', EXIT.environment, { key: 'input.not_readable', params: { file } });
    default:
      return new Failure('FILE_NOT_READABLE', EXIT.environment, {
        key: 'input.failed',
        params: { file, reason: code },
      });
  }
}
