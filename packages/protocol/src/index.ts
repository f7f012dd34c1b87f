export { type AgentEventNote, type AgentEventType, type AgentLogEvent, readAgentEvent } from './agent-events.ts';
export {
  BUDGET_NAMES,
  BUDGETS,
  type BudgetKind,
  type BudgetName,
  type ConcurrentBudget,
  type RateBudget,
  type StoredBudget,
} from './budgets.ts';
export { ARTIFACT_KINDS, type Block, type Card, type CardAnswer, MAX_REVISION } from './card.ts';
export {
  type ChainKind,
  type ChainMark,
  countsUntil,
  headName,
  type Signer,
  type Verify,
} from './chains/chain.ts';
export {
  type BrokenDeviceList,
  compareLists,
  type DeviceList,
  type DeviceListProblem,
  DeviceStatement,
  deviceStatementBytes,
  deviceStatementHash,
  foldDeviceList,
  KeyBox,
  type ListComparison,
  type ListedDevice,
  type ListMark,
  listedSigner,
  MAX_DEVICES,
  type Revocation,
  type Unsigned,
} from './chains/device-list.ts';
export {
  applyGroupStatement,
  type BrokenGroup,
  continueGroup,
  foldGroup,
  type GroupAuthor,
  type GroupMember,
  type GroupMembers,
  type GroupProblem,
  type GroupReading,
  type GroupRole,
  type GroupState,
  GroupStatement,
  groupStatementBytes,
  groupStatementHash,
  MAX_GROUP_MEMBERS,
  readGroupInSteps,
} from './chains/group.ts';
export {
  type BoundEntry,
  type BrokenLedger,
  entryBytes,
  entryHash,
  findContradiction,
  foldLedger,
  type Grants,
  LedgerEntry,
  type LedgerProblem,
  type LedgerReading,
  LedgerScope,
  type LedgerSubject,
} from './chains/ledger.ts';
export { CONTACT_CODE_BYTES, formatContactCode, makeContactCode, readContactCode } from './contact-code.ts';
export { accountDenials, type DenialStatement, MAX_DENIALS, readAccountDenials } from './denials.ts';
export {
  Envelope,
  Header,
  isTooLarge,
  labelFits,
  MAX_ENVELOPE_BYTES,
  Sender,
} from './envelope.ts';
export { type ErrorParams, errorText, i18nKey } from './error-text.ts';
export { ERROR_CODES, ERRORS, type ErrorCode } from './errors.ts';
export { EVENTS, type EventPayload, type EventType } from './events.ts';
export { CLIENT_FRAME_NOTES, CLOSE_CODE_NOTES, EVENT_NOTES, SERVER_FRAME_NOTES } from './frame-notes.ts';
export {
  AUTH_REASONS,
  type AuthReason,
  CLIENT_FRAMES,
  CLOSE_CODES,
  type ClientFrame,
  readClientFrame,
  SERVER_FRAMES,
  type ServerFrame,
} from './frames.ts';
export {
  accountHeads,
  addHeads,
  type DevicesHead,
  type Head,
  MAX_HEADS,
  readAccountHeads,
  takeHeads,
} from './heads.ts';
export { classifyNetworkFailure, type NetworkFailure, networkText } from './network-failure.ts';
export {
  type ArtifactPayload,
  type AttachmentPayload,
  CONTENT_TYPES,
  type ContentType,
  encodePayload,
  isMessage,
  isToolCall,
  isToolResponse,
  labelOf,
  MAX_ARTIFACT_BYTES,
  type MessagePayload,
  MSG_SUBTYPES,
  type MsgSubtype,
  PAYLOADS,
  type Payload,
  readPayload,
  type SystemPayload,
  searchTextOf,
  type TextPayload,
  type ToolCall,
  type ToolResponse,
  textOf,
  titleOf,
} from './payload.ts';
export { findFlaw, MAX_NESTING, type PayloadFlaw, withoutArguments } from './payload-flaw.ts';
export { DENIED_REASONS, type DeniedReason, ERROR_REASONS, type ErrorReason } from './reasons.ts';
export {
  type BodyOf,
  CALLERS,
  type CallerKind,
  defineRoute,
  type EventOf,
  LINES_TYPE,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  type RouteContract,
  type RouteLimit,
} from './route.ts';
export * as adminRoutes from './routes/admin.ts';
export * as agentEventRoutes from './routes/agent-events.ts';
export * as agentRoutes from './routes/agents.ts';
export * as authRoutes from './routes/auth.ts';
export * as bundleRoutes from './routes/bundles.ts';
export * as contactRoutes from './routes/contacts.ts';
export * as conversationRoutes from './routes/conversations.ts';
export * as deviceFlowRoutes from './routes/device-flow.ts';
export * as deviceRoutes from './routes/devices.ts';
export * as documentationRoutes from './routes/documentation.ts';
export { ROUTES } from './routes/index.ts';
export * as invitationRoutes from './routes/invitations.ts';
export * as keyRoutes from './routes/keys.ts';
export * as operationRoutes from './routes/operations.ts';
export * as passkeyRoutes from './routes/passkeys.ts';
export * as proxyRoutes from './routes/proxy.ts';
export {
  appendLedger,
  changeRelation,
  endRelation,
  establishRelation,
  listRelations,
  readLedger,
  readRelation,
} from './routes/relations.ts';
export * as skillRoutes from './routes/skills.ts';
export * as webhookRoutes from './routes/webhooks.ts';
export { isValid } from './schema/is-valid.ts';
export * as Type from './schema/type.ts';
export { hasSmallOrder } from './small-order.ts';
export { SYSTEM_AGENT_ID } from './system-agent.ts';
export {
  hasheeSigningInput,
  MIN_WEBHOOK_SECRET_BYTES,
  standardSigningInput,
  WEBHOOK_EVENTS,
  WEBHOOK_HEADERS,
  WEBHOOK_SECRET_PREFIX,
  WebhookEnvelope,
  type WebhookEventType,
} from './webhook.ts';
export { toWire, type WireError, type WireErrorInput } from './wire-error.ts';
