import { displayText } from '@parley/documents';
import type { ToolCall, ToolResponse } from '@parley/protocol';
import type { RelationView } from './agents/relation-state.ts';
import type { DenialView, QuestionStopView } from './remembered-answers.ts';

/** What a device can do about a tool now. */
export type ToolAbility =
  /** It can run it. */
  | 'ready'
  /** It could, once the person has allowed it to this program: it asks them. */
  | 'ask'
  /** The person, or the system, has forbidden it to this program. */
  | 'blocked'
  /** It can run the tool, but not under the scope that the agent names for it. */
  | 'other_scope'
  | 'missing';

/** The one thing that mends a call that was refused or failed (WC-20). */
export type Remedy =
  /** Give the permission: what the agent declares it to be is in `scopes` of the relation. */
  | { readonly kind: 'grant'; readonly relationId: string; readonly scope: string }
  /** Something about the agent waits for the person: its changes, a signature, its key. */
  | { readonly kind: 'review' | 'look' | 'add'; readonly agentId: string }
  | { readonly kind: 'lift_denial'; readonly agentId: string; readonly toolName: string }
  | { readonly kind: 'lift_stop'; readonly agentId: string; readonly until: number }
  /** Groups have no tools, and where an agent was before it was removed and added again nobody reads any more. */
  | { readonly kind: 'talk_alone'; readonly agentId: string; readonly conversationId: string }
  | { readonly kind: 'allow_here' | 'unblock_here' | 'other_device' }
  /** Nothing is in the way: the agent has to ask once more. Nobody else can repeat its call. */
  | { readonly kind: 'ask_again' }
  /** The agent made a mistake, and can be told. */
  | { readonly kind: 'report' };

interface Failed {
  readonly call: Pick<ToolCall, 'tool_name' | 'permission_scope'>;
  readonly response: Pick<ToolResponse, 'status' | 'reason' | 'error_code'>;
  readonly agentId: string;
  /** Where the call was made. */
  readonly conversationId: string;
}

export interface RemedyState {
  /** The person's relation with the agent, wherever the call was made. */
  readonly relation: RelationView | undefined;
  readonly denials: readonly Pick<DenialView, 'agentId' | 'toolName'>[];
  readonly questionStops: readonly Pick<QuestionStopView, 'agentId' | 'until'>[];
  readonly ability: ToolAbility;
  readonly now: number;
}

const AGAIN = { kind: 'ask_again' } as const;
const REPORT = { kind: 'report' } as const;

/** Looks at what is so now, not at what was: once nothing is in the way, asking the agent again is what is left to do. */
export function findRemedy(failed: Failed, state: RemedyState): Remedy | undefined {
  const { call, response, agentId } = failed;
  const { relation } = state;
  if (response.status === 'ok') return undefined;
  if (relation === undefined || relation.status === 'ended') return { kind: 'add', agentId };
  const { conversationId } = relation;
  if (conversationId !== failed.conversationId) return { kind: 'talk_alone', agentId, conversationId };
  return (
    findObstacle(agentId, relation) ??
    findMistake(failed, relation) ??
    findGrant(call, relation) ??
    findLift(failed, state) ??
    findAbility(response, state.ability) ??
    AGAIN
  );
}

/** What keeps everything of the agent from counting, whatever was granted. */
function findObstacle(agentId: string, relation: RelationView): Remedy | undefined {
  if (relation.problem !== undefined || relation.status !== 'active') return { kind: 'look', agentId };
  if (relation.needsReview) return { kind: 'review', agentId };
  return relation.needsSignature || relation.manifestHash === null ? { kind: 'look', agentId } : undefined;
}

const codeOf = ({ reason, error_code }: Failed['response']) => reason ?? error_code;
const scopeOfTool = ({ tool_name }: Failed['call'], relation: RelationView) =>
  relation.scopes.find(({ tools }) => tools.includes(displayText(tool_name)));

/** What nothing on this side could mend. */
function findMistake({ call, response }: Failed, relation: RelationView): Remedy | undefined {
  const scope = scopeOfTool(call, relation);
  switch (codeOf(response)) {
    case 'TOOL_INVALID_ARGUMENTS':
      return REPORT;
    case 'tool_not_declared':
      return scope === undefined ? REPORT : undefined;
    case 'scope_not_granted':
    case 'permission_revoked':
      // It named a permission that is not the tool's own: no grant would have helped.
      return scope?.id === displayText(call.permission_scope) ? undefined : REPORT;
    default:
      return undefined;
  }
}

function findGrant(call: Failed['call'], relation: RelationView): Remedy | undefined {
  const scope = scopeOfTool(call, relation);
  if (scope === undefined || scope.granted) return undefined;
  return { kind: 'grant', relationId: relation.relationId, scope: scope.id };
}

function findLift({ call, agentId }: Failed, { denials, questionStops, now }: RemedyState): Remedy | undefined {
  const toolName = call.tool_name;
  if (denials.some((one) => one.agentId === agentId && one.toolName === toolName))
    return { kind: 'lift_denial', agentId, toolName };
  const stop = questionStops.find((one) => one.agentId === agentId && one.until > now);
  return stop && { kind: 'lift_stop', agentId, until: stop.until };
}

/** What this device lacks; whatever else failed may have run on another one. */
function findAbility(response: Failed['response'], ability: ToolAbility): Remedy | undefined {
  const code = codeOf(response);
  return code === 'TOOL_UNAVAILABLE' || code === 'TOOL_PLATFORM_ERROR' ? ABILITIES[ability] : undefined;
}

const ABILITIES: Readonly<Record<ToolAbility, Remedy>> = {
  ready: AGAIN,
  ask: { kind: 'allow_here' },
  blocked: { kind: 'unblock_here' },
  other_scope: REPORT,
  missing: { kind: 'other_device' },
};
