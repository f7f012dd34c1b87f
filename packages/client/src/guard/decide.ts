import { highestSensitivity, type JsonObject, type Sensitivity, toMessage } from '@parley/documents';
import type { DeniedReason, ErrorReason } from '@parley/protocol';
import type { Edge, Executor } from '../executors/types.ts';
import { type Approval, isApproved } from './approval.ts';
import type { VerifiedManifest, VerifiedTool } from './verified-manifest.ts';
import { findWindow, JITTER_MS, type Window, type WindowSubject } from './window.ts';

/** A tool call as it came out of its envelope, with what the envelope says about it. */
export interface Call {
  readonly callId: string;
  readonly conversationId: string;
  readonly conversationKind: 'h2a' | 'h2h' | 'group' | 'account';
  readonly agentId: string;
  readonly toolName: string;
  readonly arguments: JsonObject;
  readonly argumentsDigest: string;
  /** Why the arguments cannot be held (CG-16); `arguments` is then empty. */
  readonly unusable?: 'nesting' | 'canonical_form' | undefined;
  readonly permissionScope: string;
  readonly timeoutMs: number;
  readonly expiresAt: number;
}

/** What a person granted the agent of one conversation, folded from the verified ledger (RL-10). */
export interface GuardRelation {
  readonly agentId: string;
  readonly conversationId: string;
  /** Each scope with the level it was granted at. */
  readonly granted: ReadonlyMap<string, Sensitivity>;
  /** What was signed grants something, and something that the server shows takes all of it away. */
  readonly isWithheld?: boolean;
  /** Scopes that were granted at some time. */
  readonly once: ReadonlySet<string>;
  /** Waiting for re-authorisation: granted, but not now (RL-9). */
  readonly pending: ReadonlySet<string>;
  /** By scope, the ledger entry of the last consent to it. */
  readonly epochs: ReadonlyMap<string, number>;
  /** The agent's pinned key; undefined while a changed one waits to be confirmed (EE-9). */
  readonly identityKey: string | undefined;
}

/** Everything that the decision depends on. */
export interface GuardState {
  readonly now: number;
  readonly relation: GuardRelation | undefined;
  readonly manifest: VerifiedManifest | undefined;
  readonly announcedHash: string | null;
  findExecutor(tool: string, scope: string): Executor | undefined;
  readonly windows: ReadonlyMap<string, Window>;
  /** By `denialKey`. */
  readonly denials: { has(key: string): boolean };
  /** By agent, until when it is not asked about (CG-14). */
  readonly questionStops: ReadonlyMap<string, Omit<QuestionStop, 'agentId'>>;
  /** The edge of the call, where its executor declares one (CG-15). */
  readonly edge?: Edge | undefined;
  readonly approval?: Approval | undefined;
}

/** "Stop asking for an hour": until then, what would be asked about is refused (CG-14). */
export interface QuestionStop {
  readonly agentId: string;
  readonly createdAt: number;
  readonly until: number;
}

export type Verdict = Refusal | Question | Permission;

/** What a call was refused by, in the order of the checks (CG-1 to CG-6). */
type Stage = 'conversation' | 'declaration' | 'grant' | 'arguments' | 'executor' | 'consent';

interface Refusal {
  readonly decision: 'refuse';
  readonly stage: Stage;
  readonly status: 'denied' | 'error';
  readonly reason: DeniedReason | ErrorReason;
  /** A sentence for the agent. */
  readonly message?: string;
  /** When the same call may get another answer (TC-3). */
  readonly retryAfterMs?: number;
  /** Asking the server again could change the answer: what takes away here is its word (CG-2, EE-24). */
  readonly stale: boolean;
}

interface ApprovedChecks {
  readonly tool: VerifiedTool;
  readonly executor: Executor;
  readonly level: Sensitivity;
  readonly subject: WindowSubject;
  readonly edge: Edge | undefined;
}

export interface Question extends ApprovedChecks {
  readonly decision: 'ask';
}

export interface Permission extends ApprovedChecks {
  readonly decision: 'run';
  readonly by: 'none' | 'window' | 'prompt';
  /** The window that covers the call. */
  readonly window?: Window | undefined;
  readonly timeoutMs: number;
}

/** Takes the steps of the guard up to execution, CG-1 to CG-7, in this order. Whatever is unknown is refused. */
export function decide(call: Call, state: GuardState): Verdict {
  // CG-1, TC-8: tools run only in a conversation of one person and one agent.
  if (call.conversationKind !== 'h2a') return deny('conversation', 'tool_not_supported_in_group');

  // CG-2: an older manifest than the one announced does not count.
  const { manifest } = state;
  const tool = manifest?.hash === state.announcedHash ? manifest?.tools.get(call.toolName) : undefined;
  if (tool === undefined) return deny('declaration', 'tool_not_declared', true);

  // CG-3: the scope is the manifest's, whatever the call says.
  const relation = findRelation(call, state);
  const scope = tool.scope.id;
  if (call.permissionScope !== scope) return deny('grant', 'scope_not_granted', true);
  const recorded = relation?.granted.get(scope);
  const key = relation?.identityKey;
  if (relation === undefined || recorded === undefined) {
    const reason = relation?.once.has(scope) ? 'permission_revoked' : 'scope_not_granted';
    return deny('grant', reason, relation?.isWithheld);
  }
  if (relation.pending.has(scope) || key === undefined) return deny('grant', 'scope_not_granted', true);

  // CG-16: what cannot be held was not kept, so there is nothing to look at.
  if (call.unusable !== undefined) return fail('arguments', 'TOOL_INVALID_ARGUMENTS', UNUSABLE[call.unusable]);

  // CG-4: the arguments must match the tool's schema.
  const checked = tool.check(call.arguments);
  if (!checked.valid) {
    const message = checked.findings[0] && toMessage(checked.findings[0], 'en');
    return {
      ...fail('arguments', 'TOOL_INVALID_ARGUMENTS', message && `${message.path || 'arguments'}: ${message.message}`),
      stale: true,
    };
  }

  // CG-5: this device must have an executor for the tool under this scope.
  const executor = state.findExecutor(call.toolName, scope);
  const isForOther = executor?.agentId !== undefined && executor.agentId !== call.agentId;
  if (executor === undefined || isForOther) return fail('executor', 'TOOL_UNAVAILABLE');

  // TC-2: an expired call is neither asked about nor run.
  if (state.now >= call.expiresAt) return deny('consent', 'user_timeout');
  if (state.denials.has(denialKey(call))) return deny('consent', 'user_refused');
  // CG-6: a later manifest cannot lower what was recorded.
  const level = highestSensitivity(tool.level, recorded, executor.sensitivity ?? 'low');
  const subject: WindowSubject = {
    conversationId: call.conversationId,
    tool: call.toolName,
    scope,
    digest: tool.digest,
    epoch: relation.epochs.get(scope) ?? 0,
    identityKey: key,
  };
  const { edge } = state;
  const checks: ApprovedChecks = { tool, executor, level, subject, edge };
  const found = findPermission(call, state, checks);
  if (found !== undefined) {
    return { decision: 'run', ...checks, ...found, timeoutMs: Math.min(tool.timeoutMs, call.timeoutMs) };
  }
  // CG-14: the person does not want to be asked for now.
  const stop = state.questionStops.get(call.agentId);
  if (stop === undefined || !isStopped(stop, state.now)) return { decision: 'ask', ...checks };
  const retryAfterMs = Math.min(stop.until - state.now, stop.until - stop.createdAt);
  return { ...deny('consent', 'user_refused'), message: STOPPED, retryAfterMs };
}

/** Does it last? As for a window, a clock that was put back further than it is ever corrected ends it. */
export function isStopped({ createdAt, until }: Omit<QuestionStop, 'agentId'>, now: number): boolean {
  return now >= createdAt - JITTER_MS && now < until;
}

const UNUSABLE = {
  nesting: 'The arguments are nested too deep. Send them in a flatter form.',
  canonical_form:
    'The arguments have no canonical JSON form (RFC 8785), for example because a text holds half of a surrogate pair.',
} as const;
const STOPPED = 'The user does not want to be asked for now. Call again after retry_after_ms, with a new call_id.';

/** A grant is valid only in the agent's own conversation. */
function findRelation(call: Call, { relation }: GuardState): GuardRelation | undefined {
  const fits = relation?.agentId === call.agentId && relation.conversationId === call.conversationId;
  return fits ? relation : undefined;
}

function findPermission(
  { callId, conversationId, argumentsDigest }: Call,
  { now, windows, approval, manifest }: GuardState,
  { level, subject, tool, edge }: ApprovedChecks,
): Pick<Permission, 'by' | 'window'> | undefined {
  if (level === 'low') return { by: 'none' };
  const call = { callId, conversationId, argumentsDigest, edge: edge?.id };
  const thing = { ...call, manifestHash: manifest!.hash, toolDigest: tool.digest, level };
  if (isApproved(approval, thing, now)) return { by: 'prompt' };
  if (level !== 'medium') return undefined;
  const window = findWindow(windows, subject, { edge, argumentsDigest, now });
  return window && { by: 'window', window };
}

/** "Always deny" is about a tool of an agent, whatever scope and level a later manifest gives it. */
export function denialKey({ agentId, toolName }: Pick<Call, 'agentId' | 'toolName'>): string {
  return `${agentId}/${toolName}`;
}

function deny(stage: Stage, reason: DeniedReason, stale = false): Refusal {
  return { decision: 'refuse', stage, status: 'denied', reason, stale };
}

function fail(stage: Stage, reason: ErrorReason, message?: string): Refusal {
  return {
    decision: 'refuse',
    stage,
    status: 'error',
    reason,
    ...(message === undefined ? {} : { message }),
    stale: false,
  };
}
