import type { Executor } from '../types.ts';
import { fetchPageExecutors, type NetworkOptions } from './fetch-page.ts';
import type { FileRules } from './file-rules.ts';
import { readClipboardExecutor } from './read-clipboard.ts';
import { readFileExecutor } from './read-file.ts';
import { type LocationSource, readLocationExecutor } from './read-location.ts';
import { type Notify, sendNotificationExecutor } from './send-notification.ts';

export interface NodeExecutorOptions {
  /** Nothing can be read unless folders are named here. */
  readonly files?: FileRules | undefined;
  readonly network?: NetworkOptions | undefined;
  readonly notify?: Notify | undefined;
  readonly location?: LocationSource | undefined;
  /** Where programs are looked for, and what they are started with. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly platform?: string | undefined;
}

/** Returns the shipped tools that this machine can run (CG-13). The others are answered with TOOL_UNAVAILABLE. */
export function nodeExecutors(options: NodeExecutorOptions = {}): readonly Executor[] {
  const { environment = process.env, platform = process.platform } = options;
  const notify = options.notify === undefined ? {} : { notify: options.notify };
  return [
    sendNotificationExecutor({ environment, platform, ...notify }),
    readFileExecutor(options.files ?? { roots: [] }),
    readClipboardExecutor({ environment, platform }),
    readLocationExecutor(options.location),
    ...fetchPageExecutors(options.network),
  ].filter((executor) => executor !== undefined);
}
