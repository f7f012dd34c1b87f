export { createNodePlatform, type FileStoreOptions, openFileStore } from '@parley/messenger/node';
export { type NodeExecutorOptions, nodeExecutors } from '../executors/node/index.ts';
export { findMissingPrograms } from '../executors/node/missing-programs.ts';
