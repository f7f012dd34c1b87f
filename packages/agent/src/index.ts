export { Agent, type SendOptions, type Sent } from './agent.ts';
export type { CallToolOptions } from './calls/tool-calls.ts';
export { ToolError, type ToolErrorReason, type ToolErrorStatus } from './calls/tool-error.ts';
export { HasheeAgent, type HasheeAgentOptions } from './hashee-agent.ts';
export type { ArtifactInput } from './messages/artifact.ts';
export type { CardChanges } from './messages/cards.ts';
export type { AgentEvent, AgentMessage, ArtifactResponseEvent, MessagePayload } from './messages/incoming.ts';
export type { Attachment, OutgoingPayload } from './messages/outgoing.ts';
