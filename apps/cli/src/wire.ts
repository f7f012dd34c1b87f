import type { Change, ConsentPreview, ManifestDiff, Message } from '@parley/documents';
import type { Failure } from './failure.ts';

// The only place where our names become those of `--json`. Each function lists what is printed, so that a new field of
// the library is not published by accident.

export function wireFinding({ code, severity, path, message, params }: Message) {
  return { code, severity, path, message, params };
}

export function wireFailure(failure: Pick<Failure, 'code'>, message: string) {
  return { code: failure.code, message };
}

export function wireDiff(diff: ManifestDiff) {
  return {
    breaking: diff.breaking,
    policy: diff.policy,
    old_hash: diff.oldHash,
    new_hash: diff.newHash,
    scopes_requiring_reauth: diff.scopesRequiringReauth,
    changes: diff.changes.map(wireChange),
  };
}

function wireChange({ code, path, tool, scope, breaking, consent, message, witness }: Change) {
  // JSON.stringify leaves out what is undefined.
  return { code, path, tool, scope, breaking, consent, message, witness };
}

export function wirePreview(preview: ConsentPreview) {
  return {
    locale: preview.locale,
    agent_version: preview.agentVersion,
    groups: preview.groups.map(({ sensitivity, label, behaviour, scopes }) => ({
      sensitivity,
      label,
      behaviour,
      scopes: scopes.map(wireScope),
    })),
    flags: preview.flags.map(({ name, text }) => ({ name, text })),
  };
}

type Scope = ConsentPreview['groups'][number]['scopes'][number];

function wireScope({ id, label, description, required, warnings, tools }: Scope) {
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
