export { type Api, ApiError, type CallInput } from './api/api.ts';
export { type ApiOptions, createApi } from './api/create.ts';
export type { Credentials, SessionTokens } from './api/credentials.ts';
export { explainFailure, isLocalCode, type LocalCode } from './failure.ts';
export { loadOrCreateKeys, loadOwnKeys, type OwnKeysRecord, saveOwnKeys } from './keys/own-keys.ts';
export { createMessenger } from './messenger.ts';
export { retryDelay } from './retry.ts';
export type { Store, StoreBatch, StoreEntry } from './store.ts';
export { type BackupOptions, exportBackup, importBackup, type RestoreOptions } from './stores/backup.ts';
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
