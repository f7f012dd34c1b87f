import type { Locale } from '@parley/base';
import { type Change, type Finding, type ManifestDiff, type Message, toMessage } from '@parley/documents';
import type { agentRoutes, ReplyOf } from '@parley/protocol';
import type { Role } from './access.ts';
import type { AgentRow, LoadedAgent } from './store.ts';

// Only this file converts rows to what is sent. Each function lists its fields, so that a new column is not published
// by accident.

type Agent = ReplyOf<typeof agentRoutes.readAgent>;
type Summary = ReplyOf<typeof agentRoutes.searchAgents>['agents'][number];
type WireStatus = Agent['status'];

export function wireAgent(
  row: LoadedAgent & { owner_name: string; has_webhook: boolean },
  { role, locale }: { role: Role; locale: Locale },
): Agent {
  const trusted = role === 'owner' || role === 'self';
  return {
    agent_id: row.id,
    name: row.name,
    description: row.description,
    owner: { ...(trusted ? { user_id: row.owner_id } : {}), display_name: row.owner_name },
    visibility: row.visibility,
    status: row.status as WireStatus,
    capability_manifest: row.capability_manifest,
    capability_manifest_version: row.capability_manifest_version,
    capability_manifest_hash: row.capability_manifest_hash,
    connection_mode: row.connection_mode,
    connection_mode_signature: row.connection_mode_signature,
    identity_key: row.identity_key,
    exchange_key: row.exchange_key,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ...(trusted
      ? {
          warnings: wireStoredWarnings(row.warnings, locale),
          unreachable_since: row.unreachable_since?.toISOString() ?? null,
          has_webhook: row.has_webhook,
        }
      : {}),
  };
}

export type SummaryRow = Pick<
  AgentRow,
  | 'id'
  | 'name'
  | 'description'
  | 'visibility'
  | 'status'
  | 'connection_mode'
  | 'capability_manifest_version'
  | 'capability_manifest_hash'
  | 'tool_names'
  | 'scope_ids'
  | 'highest_sensitivity'
  | 'created_at'
  | 'updated_at'
>;

export function wireSummary(row: SummaryRow): Summary {
  return {
    agent_id: row.id,
    name: row.name,
    description: row.description,
    visibility: row.visibility,
    status: row.status as WireStatus,
    connection_mode: row.connection_mode,
    capability_manifest_version: row.capability_manifest_version,
    capability_manifest_hash: row.capability_manifest_hash,
    tools: row.tool_names,
    permission_scopes: row.scope_ids,
    highest_sensitivity: row.highest_sensitivity as Summary['highest_sensitivity'],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function wireFinding({ code, severity, path, params, message }: Message) {
  return { code, severity, path, params, message };
}

export function wireChange({ code, path, side, tool, scope, breaking, consent, message, witness }: Change) {
  return {
    code,
    path,
    side,
    ...(tool === undefined ? {} : { tool }),
    ...(scope === undefined ? {} : { scope }),
    breaking,
    consent,
    message,
    ...(witness === undefined ? {} : { witness }),
  };
}

export function wireDiff(diff: ManifestDiff) {
  return {
    breaking: diff.breaking,
    policy: diff.policy,
    old_hash: diff.oldHash,
    new_hash: diff.newHash,
    scopes_requiring_reauth: [...diff.scopesRequiringReauth],
    changes: diff.changes.map(wireChange),
  };
}

/** Stores warnings without their texts, which are added in the reader's language. */
export function storeWarnings(warnings: readonly Message[]): string {
  return JSON.stringify(warnings.map(({ code, severity, path, params }) => ({ code, severity, path, params })));
}

export function wireStoredWarnings(stored: unknown, locale: Locale) {
  return (stored as readonly Finding[]).map((finding) => wireFinding(toMessage(finding, locale)));
}
