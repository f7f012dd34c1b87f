import { defineArguments } from '../arguments.ts';
import { MAX_CONTENT_BYTES, sizeInJson } from '../content.ts';
import { describeClipboard } from '../describe.ts';
import { type Executor, ExecutorError } from '../types.ts';

const readArguments = defineArguments<Record<string, never>>({});

export function readClipboardExecutor(): Executor | undefined {
  if (globalThis.navigator?.clipboard?.readText === undefined) return undefined;
  return {
    tool: 'read_clipboard',
    scope: 'clipboard:read',
    sensitivity: 'medium',
    describe: (_, locale) => describeClipboard(locale),
    run: async (args) => {
      readArguments(args);
      const content = await navigator.clipboard.readText().catch((cause) => {
        throw new ExecutorError('The browser does not let the clipboard be read now.', { cause });
      });
      if (sizeInJson(content) > MAX_CONTENT_BYTES) {
        throw new ExecutorError(`It has more than ${MAX_CONTENT_BYTES} bytes, which an answer cannot carry.`);
      }
      return { content };
    },
  };
}
