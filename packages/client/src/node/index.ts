export { type NodeExecutorOptions, nodeExecutors } from '../executors/node/index.ts';
