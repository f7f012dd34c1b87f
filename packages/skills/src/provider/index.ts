export { type ApiKey, createApiKey } from './auth/api-keys.ts';
export type { BearerOptions } from './auth/bearer.ts';
export type { Authenticate, VerifiedCaller } from './auth/caller.ts';
export type {
  Added,
  Execution,
  ExecutionError,
  ExecutionResult,
  ExecutionStore,
  Executions,
  NewExecution,
  RunExecution,
} from './execution.ts';
export { type HandlerContext, HandlerError, type Output, type SkillHandler } from './handler.ts';
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export { type Connection, type ServedSkill, type ServeOptions, serveSkill } from './serve.ts';
export { createTaskHandler, type TaskAgent, type TaskOptions } from './task/task-handler.ts';
