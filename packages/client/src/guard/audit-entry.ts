import type { ToolResponse } from '@parley/protocol';
import type { AuditEntry } from '../audit/types.ts';
import type { CallRecord } from './call-record.ts';
import type { Permission } from './decide.ts';
import type { VerifiedManifest } from './verified-manifest.ts';

/** Converts a finished call to an entry of the audit log (CG-12). */
export function toEntry(
  record: CallRecord,
  response: ToolResponse,
  about: { manifest: VerifiedManifest | undefined; at: Date; by: Permission['by'] | undefined },
): AuditEntry {
  return {
    call_id: record.callId,
    agent_id: record.agentId,
    conversation_id: record.conversationId,
    tool_name: record.toolName,
    scope: about.manifest?.tools.get(record.toolName)?.scope.id ?? null,
    arguments_digest: record.argumentsDigest,
    status: response.status,
    ...(response.reason === undefined ? {} : { reason: response.reason }),
    manifest_hash: about.manifest?.hash ?? null,
    ...(about.by === undefined ? {} : { approval: about.by }),
    timestamp: about.at.toISOString(),
  };
}
