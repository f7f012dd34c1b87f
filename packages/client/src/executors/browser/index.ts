import type { Api } from '@parley/messenger';
import type { Executor } from '../types.ts';
import { fetchPageExecutors } from './fetch-page.ts';
import { readClipboardExecutor } from './read-clipboard.ts';
import { type PickFile, readFileExecutor } from './read-file.ts';
import { readLocationExecutor } from './read-location.ts';
import { sendNotificationExecutor } from './send-notification.ts';

export interface BrowserExecutorOptions {
  /** Pages are fetched by the server, which therefore sees their addresses. Without it they are not. */
  readonly api?: Pick<Api, 'call'>;
  /** Lets the person choose a file. Without it, no file can be read. */
  readonly pickFile?: PickFile;
}

/** What this browser can do, of the shipped tools (CG-13). What it cannot is missing, and answered TOOL_UNAVAILABLE. */
export function browserExecutors({ api, pickFile }: BrowserExecutorOptions = {}): readonly Executor[] {
  return [
    sendNotificationExecutor(),
    readFileExecutor(pickFile),
    readClipboardExecutor(),
    readLocationExecutor(),
    ...fetchPageExecutors(api),
  ].filter((executor) => executor !== undefined);
}
