import type { Change, ConsentPreview, ManifestDiff, Message } from '@parley/documents';
import type { CommandError } from './command-error.ts';
import { explainError } from './explain-error.ts';
import type { Words } from './messages/index.ts';

// The only mapping from our names to those of `--json`. Each function lists its fields, so that a new field of the
// library is not published by accident.

export function toFindingJson({ code, severity, path, message, params }: Message) {
  return { code, severity, path, message, params };
}

export function toErrorJson(error: CommandError, { locale }: Words) {
  return { code: error.code, message: explainError(error, locale) };
}

export function toDiffJson(diff: ManifestDiff) {
  return {
    breaking: diff.breaking,
    policy: diff.policy,
    old_hash: diff.oldHash,
    new_hash: diff.newHash,
    scopes_requiring_reauth: diff.scopesRequiringReauth,
    changes: diff.changes.map(toChangeJson),
  };
}

function toChangeJson({ code, path, tool, scope, breaking, consent, message, witness }: Change) {
  // JSON.stringify omits undefined values.
  return { code, path, tool, scope, breaking, consent, message, witness };
}

export function toPreviewJson(preview: ConsentPreview) {
  return {
    locale: preview.locale,
    agent_version: preview.agentVersion,
    groups: preview.groups.map(({ sensitivity, label, behaviour, scopes }) => ({
      sensitivity,
      label,
      behaviour,
      scopes: scopes.map(toScopeJson),
    })),
    flags: preview.flags.map(({ name, text }) => ({ name, text })),
  };
}

type Scope = ConsentPreview['groups'][number]['scopes'][number];

function toScopeJson({ id, label, description, required, warnings, tools }: Scope) {
  return {
    id,
    label,
    description,
    required,
    warnings,
    tools: tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      required: tool.required,
      timeout_ms: tool.timeoutMs,
      parameters: tool.parameters.map(({ name, type, required }) => ({ name, type, required })),
      accepts_more: tool.acceptsMore,
    })),
  };
}
