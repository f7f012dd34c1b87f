export { type Locale, type Readable, waitUntil } from '@parley/base';
export { type Api, ApiError, createMemoryStore, type Platform, type Status, type Store } from '@parley/messenger';
export type { RecoverySecret } from './account/account-key.ts';
export type { Devices, DeviceView } from './account/devices.ts';
export type { SignedOutReason } from './account/login-session.ts';
export type { OtherDevice } from './account/other-device.ts';
export type { Consents, Review } from './agents/consents.ts';
export type { AgentDetails, AgentDirectory, AgentSearch, AgentSummary } from './agents/directory.ts';
export { type AgentLink, formatAgentLink, parseAgentLink } from './agents/link.ts';
export type { RelationView, ScopeView } from './agents/relation-state.ts';
export { type AgentWatch, type WatchedEvent, type WatchSnapshot, watchAgent } from './agents/watch-agent.ts';
export { verifyExport } from './audit/export.ts';
export { type AuditOptions, openAuditLog } from './audit/log.ts';
export { explainAuditProblem } from './audit/problem.ts';
export type { AuditEntry, AuditFilter, AuditLog, AuditRecord, AuditVerification } from './audit/types.ts';
export {
  type Client,
  type ClientOptions,
  createClient,
  type KeyOwner,
  type LoginSessionState,
  type Tokens,
} from './client.ts';
export {
  type BlockedPerson,
  type Contact,
  type Contacts,
  type ContactsSnapshot,
  countWaiting,
  type GroupInvitation,
  type IncomingRequest,
  type OutgoingRequest,
} from './contacts/contacts.ts';
export type { CardRevision } from './conversations/cards.ts';
export { type ConversationView, countUnread } from './conversations/conversation-view.ts';
export type { Attachment, Conversations } from './conversations/conversations.ts';
export type { ConversationDetail } from './conversations/groups.ts';
export { canErase } from './conversations/history.ts';
export type { Invited } from './conversations/invitations.ts';
export type { ChatMessage } from './conversations/message.ts';
export type { MessagePreview } from './conversations/message-preview.ts';
export type { LiveText, Timeline, TimelineSnapshot } from './conversations/timeline.ts';
export type { Device, Identities, Relations } from './device.ts';
export { cardDraftKey, type Draft, type Drafts, OTHER_DRAFTS, type UnsavedDraft } from './drafts.ts';
export { hasheeExecutors, type NewSecret } from './executors/hashee/index.ts';
export { NETWORK_SCOPE } from './executors/page.ts';
export { type Edge, type ExecutionContext, type Executor, ExecutorError } from './executors/types.ts';
export type { ArgumentView } from './guard/arguments-view.ts';
export type { CallState } from './guard/call-record.ts';
export { explainMessage } from './guard/explain-message.ts';
export { explainReason, explainResponse } from './guard/explain-reason.ts';
export type { Prompt } from './guard/prompts.ts';
export type { Remember } from './guard/window.ts';
export { readPages } from './pages.ts';
export type { ClientProblem, NotedProblem, Problems } from './problems.ts';
export { findRemedy, type Remedy, type ToolAbility } from './remedy.ts';
export type { DenialView, QuestionStopView, RememberedAnswers, WindowView } from './remembered-answers.ts';
export { invokeSkill, type SkillReply } from './skills/invoke.ts';
export { fractionOf, NO_PROGRESS, type SkillEvent, type SkillProgress } from './skills/progress.ts';
