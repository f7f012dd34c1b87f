export { type Api, ApiError, type CallInput } from './api.ts';
export type { Store, StoreBatch } from './store.ts';
export { explainStoreFailure, StoreFailure, type StoreFailureCode } from './stores/failure.ts';
export { createMemoryStore } from './stores/memory.ts';
export type {
  Ack,
  ConversationKind,
  Identity,
  Incoming,
  LiveEvent,
  Messenger,
  MessengerOptions,
  Outgoing,
  OutgoingStream,
  Platform,
  PlatformEvent,
  Problem,
  Socket,
  Status,
  Trust,
  Trusted,
} from './types.ts';
