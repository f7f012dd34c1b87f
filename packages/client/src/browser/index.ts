export {
  createBrowserPlatform,
  deleteIndexedDbStore,
  type IndexedDbOptions,
  openIndexedDbStore,
} from '@parley/messenger/browser';
export { type BrowserExecutorOptions, browserExecutors } from '../executors/browser/index.ts';
export type { PickFile } from '../executors/browser/read-file.ts';
