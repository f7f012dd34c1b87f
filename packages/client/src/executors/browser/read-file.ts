import { displayText } from '@parley/documents';
import { defineArguments } from '../arguments.ts';
import { MAX_CONTENT_BYTES, toContent } from '../content.ts';
import { describeChosenFile } from '../describe.ts';
import { type Executor, ExecutorError } from '../types.ts';

/** `wanted` is what the agent asks for, fit to be shown; the person may choose another, or none. */
export type PickFile = (wanted: string, signal: AbortSignal) => Promise<Blob | undefined>;

const readArguments = defineArguments<{ path: string; encoding?: 'utf-8' | 'base64' }>(
  { path: { type: 'string', minLength: 1, maxLength: 4_096 }, encoding: { enum: ['utf-8', 'base64'] } },
  ['path'],
);

const NOTE = {
  en: 'You choose the file the agent gets: a browser can’t open files by their path.',
  'zh-CN': '由您选择要交给 Agent 的文件：浏览器无法按路径打开文件。',
};

/** A browser knows no paths: the person picks the file. */
export function readFileExecutor(pickFile: PickFile | undefined): Executor | undefined {
  if (pickFile === undefined) return undefined;
  return {
    tool: 'read_file',
    scope: 'filesystem:read',
    sensitivity: 'medium',
    describe: (_, locale) => describeChosenFile(locale),
    privacyNote: (_, locale) => NOTE[locale],
    run: async (args, { signal }) => {
      const { path, encoding } = readArguments(args);
      const file = await pickFile(displayText(path), signal);
      if (file === undefined) throw new ExecutorError('The person did not choose a file.');
      if (file.size > MAX_CONTENT_BYTES) {
        throw new ExecutorError(`The file has more than ${MAX_CONTENT_BYTES} bytes, which an answer cannot carry.`);
      }
      return { ...toContent(new Uint8Array(await file.arrayBuffer()), encoding) };
    },
  };
}
