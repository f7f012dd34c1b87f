import type { FileHandle } from 'node:fs/promises';
import { dirname, normalize, resolve } from 'node:path';
import { defineArguments } from '../arguments.ts';
import { MAX_CONTENT_BYTES, toContent } from '../content.ts';
import { describeFile } from '../describe.ts';
import { type Executor, ExecutorError } from '../types.ts';
import type { FileRules } from './file-rules.ts';
import { findFolder, folderEdge, unseenFolderEdge } from './folder-edge.ts';
import { isNamedInside, type OpenRefusal, openInside } from './open-inside.ts';

const readArguments = defineArguments<{ path: string; encoding?: 'utf-8' | 'base64' }>(
  { path: { type: 'string', minLength: 1, maxLength: 4_096 }, encoding: { enum: ['utf-8', 'base64'] } },
  ['path'],
);

const MESSAGES: Readonly<Record<OpenRefusal, string>> = {
  outside: 'This path is not inside a folder that the person lets agents read.',
  missing: 'There is no such file.',
  no_file: 'This is not an ordinary file.',
  unreadable: 'The file cannot be read.',
};

/** Undefined without a folder to read from: there is none by default. */
export function readFileExecutor(rules: FileRules): Executor | undefined {
  if (rules.roots.length === 0) return undefined;
  return {
    tool: 'read_file',
    scope: 'filesystem:read',
    sensitivity: 'medium',
    // As it is opened: `taxes.txt/photo.jpg/..` is `taxes.txt`.
    describe: ({ path }, locale) => describeFile(locale, normalize(String(path))),
    edge: async (args) => {
      const { path } = readArguments(args);
      const wanted = resolve(rules.roots[0]!, path);
      // Outside of the roots the disk is not read: nobody may find out what exists there.
      if (!(await isNamedInside(path, rules))) return unseenFolderEdge(dirname(wanted));
      return folderEdge(await findFolder(wanted));
    },
    run: async (args, { enter }) => {
      const { path, encoding } = readArguments(args);
      const opened = await openInside(path, rules);
      if (!opened.ok) throw new ExecutorError(MESSAGES[opened.refusal]);
      try {
        // Since the edge was decided on, a link may have come to lead elsewhere.
        await enter(await folderEdge(dirname(opened.place)));
        return { ...toContent(await readAll(opened.handle), encoding) };
      } finally {
        await opened.handle.close();
      }
    },
  };
}

/** The size may be a lie, or change: what counts is what is read. */
async function readAll(handle: FileHandle): Promise<Uint8Array> {
  const bytes = new Uint8Array(MAX_CONTENT_BYTES + 1);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
  }
  throw new ExecutorError(`The file has more than ${MAX_CONTENT_BYTES} bytes, which an answer cannot carry.`);
}
