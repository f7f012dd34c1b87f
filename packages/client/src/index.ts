export type { RecoverySecret } from './account/account-key.ts';
export type { Devices, DeviceView } from './account/devices.ts';
export type { Consents, Review } from './agents/consents.ts';
export type { AgentDetails, AgentDirectory, AgentSearch, AgentSummary } from './agents/directory.ts';
export { type AgentLink, formatAgentLink, parseAgentLink } from './agents/link.ts';
export type { RelationView, ScopeView } from './agents/relation-state.ts';
export { verifyExport } from './audit/export.ts';
export { type AuditOptions, openAuditLog } from './audit/log.ts';
export { explainAuditProblem } from './audit/problem.ts';
export type { AuditEntry, AuditFilter, AuditLog, AuditRecord, AuditVerification } from './audit/types.ts';
export { type Client, type ClientOptions, createClient, type SessionState, type Tokens } from './client.ts';
export type {
  Attachment,
  ConversationDetail,
  Conversations,
  ConversationView,
} from './conversations/conversations.ts';
export type { ChatMessage } from './conversations/message.ts';
export type { LiveText, Timeline, TimelineSnapshot } from './conversations/timeline.ts';
export type { Device, Identities, Relations } from './device.ts';
export { type ExecutionContext, type Executor, ExecutorFailure } from './executors/types.ts';
export { type ClientCode, ClientFailure, explainClientFailure } from './failure.ts';
export type { ArgumentView } from './guard/arguments-view.ts';
export type { CallState } from './guard/call-record.ts';
export type { Prompt } from './guard/prompts.ts';
export { type Readable, waitUntil } from './observable.ts';
export type { ClientProblem, NotedProblem, Problems } from './problems.ts';
export type { DenialView, Remembered, WindowView } from './remembered.ts';
