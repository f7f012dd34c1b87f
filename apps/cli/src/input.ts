import { open } from 'node:fs/promises';
import { CommandError } from './command-error.ts';
import { ownCommand } from './own-command.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** `-` means standard input. */
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
    // Reads up to a limit instead of asking for the size, because pipes and devices report 0 and may never end.
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
      throw new CommandError('INPUT_TOO_LARGE', { params: { file, mib: MAX_BYTES / 1024 / 1024 } });
    }
  }
  return Buffer.concat(chunks);
}

/** Turns an error of the file system into one with a sentence. Any other error is returned unchanged. */
function explain(error: unknown, file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const params = { file, reason: code };
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new CommandError('FILE_NOT_FOUND', { params });
    case 'EISDIR':
      return new CommandError('FILE_IS_DIRECTORY', { params });
    case 'EACCES':
    case 'EPERM':
      return new CommandError('FILE_NOT_READABLE', { sentences: [{ key: 'input.not_readable', params }] });
    default:
      return new CommandError('FILE_NOT_READABLE', { params });
  }
}

/** No files mean standard input. If that is a terminal, the person gets an error instead of a command that waits. */
export function chooseFiles(files: readonly string[], command: string): readonly string[] {
  const chosen = files.length === 0 ? [STDIN] : files;
  const fromStdin = chosen.filter((file) => file === STDIN).length;
  if (fromStdin > 1) throw new CommandError('USAGE', { sentences: [{ key: 'usage.stdin_twice' }] });
  if (fromStdin === 1 && process.stdin.isTTY) {
    throw new CommandError('USAGE', {
      sentences: [{ key: 'usage.no_input' }, { key: 'usage.see_help', params: { command: ownCommand(command) } }],
    });
  }
  return chosen;
}
