export type { Api, CallInput } from './api/api.ts';
export { ApiError } from './api/api-error.ts';
export { type ApiOptions, createApi } from './api/create.ts';
export type { Credentials, SessionTokens } from './api/credentials.ts';
export { createServerClock, type ServerClock } from './api/server-clock.ts';
export {
  endOf,
  type FetchedList,
  fetchList,
  isShown,
  judgeList,
  type KnownList,
  type ListVerdict,
  loadList,
  markOf,
  type SeenList,
  storedList,
} from './binding/device-lists.ts';
export { readOwnGroupBeginnings } from './binding/groups.ts';
export {
  type ExpectedSubject,
  isAbout,
  type LedgerDeps,
  readMarkedLedger,
  type VerifiedLedger,
} from './binding/ledger.ts';
export {
  type BoundRelation,
  type RelationBinder,
  type RelationRow,
  readPendingScopes,
  type UnboundRelation,
} from './binding/relations.ts';
export { retryDelay } from './connection/retry.ts';
export { ERRORS as MESSENGER_ERRORS, type MessengerErrorCode, messengerError } from './errors.ts';
export { loadOrCreateKeys, loadOwnKeys, type OwnKeysRecord, saveOwnKeys } from './identity/own-keys.ts';
export { createMessenger } from './messenger.ts';
export type { Messenger } from './messenger-interface.ts';
export type { Platform, Socket } from './platform.ts';
export { type BackupOptions, exportBackup, importBackup, type RestoreOptions } from './stores/backup.ts';
export { type DurableObjectStorage, openDurableObjectStore } from './stores/durable-object.ts';
export { createMemoryStore } from './stores/memory.ts';
export type { Store, StoreBatch, StoreEntry } from './stores/store.ts';
export type {
  Ack,
  Conversation,
  ConversationKind,
  DescribedConversation,
  HeardMarks,
  Identity,
  Incoming,
  Member,
  MessengerOptions,
  Outgoing,
  OutgoingStream,
  PlatformEvent,
  Problem,
  Status,
  TransientEvent,
  Trust,
  Trusted,
} from './types.ts';
