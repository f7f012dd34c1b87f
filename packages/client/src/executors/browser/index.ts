import type { Api } from '@parley/messenger';
import type { Executor } from '../types.ts';
import { fetchPageExecutors } from './fetch-page.ts';
import { readClipboardExecutor } from './read-clipboard.ts';
import { type PickFile, readFileExecutor } from './read-file.ts';
import { readLocationExecutor } from './read-location.ts';
import { sendNotificationExecutor } from './send-notification.ts';

export interface BrowserExecutorOptions {
  /** The server fetches pages, and therefore sees their addresses. Without it, no pages are fetched. */
  readonly api?: Pick<Api, 'call'> | undefined;
  /** Lets the person choose a file. Without it, no file can be read. */
  readonly pickFile?: PickFile | undefined;
}

/** Returns the shipped tools that this browser can run (CG-13). The others are answered with TOOL_UNAVAILABLE. */
export function browserExecutors({ api, pickFile }: BrowserExecutorOptions = {}): readonly Executor[] {
  return [
    sendNotificationExecutor(),
    readFileExecutor(pickFile),
    readClipboardExecutor(),
    readLocationExecutor(),
    ...fetchPageExecutors(api),
  ].filter((executor) => executor !== undefined);
}
