import type { Locale } from '@parley/base';
import { type Manifest, PRESET_SCOPES, validateManifest } from '@parley/documents';

/** The answers that a first manifest is made from. */
export interface Answers {
  readonly agentVersion: string;
  readonly tool: string;
  readonly toolText: Manifest['tools'][number]['description_fallback'];
  /** Names of arguments. Each becomes a required string, which the author can refine. */
  readonly parameters: readonly string[];
  readonly scope: string;
  /** Preset scopes have built-in texts, so it is not asked for them. */
  readonly scopeText?: Manifest['permission_scopes'][number]['label_fallback'];
  readonly sensitivity: Manifest['permission_scopes'][number]['sensitivity'];
  readonly flags: readonly string[];
}

/** The tool that the guide for a first agent calls. */
export const DEFAULT_ANSWERS: Answers = {
  agentVersion: '0.1.0',
  tool: 'fetch_url',
  toolText: { en: 'Reads a web page that you name', 'zh-CN': '读取您指定的网页' },
  parameters: ['url'],
  scope: 'network:http',
  scopeText: { en: 'Open web addresses', 'zh-CN': '访问网址' },
  sensitivity: 'medium',
  flags: ['supports_streaming'],
};

export const FLAGS = ['supports_streaming', 'supports_artifacts', 'supports_voice', 'supports_group_chat'] as const;

export function writeStarter(answers: Answers): Manifest {
  const { tool, scope } = answers;
  const scopeKey = scope.replaceAll(/[^a-z0-9]+/gi, '_');
  const label =
    PRESET_SCOPES.has(scope) || answers.scopeText === undefined ? {} : { label_fallback: answers.scopeText };
  return {
    schema_version: '1.0',
    agent_version: answers.agentVersion,
    tools: [
      {
        name: tool,
        description_i18n_key: `agent.tools.${tool}.description`,
        ...(answers.toolText === undefined ? {} : { description_fallback: answers.toolText }),
        input_schema: {
          type: 'object',
          properties: Object.fromEntries(answers.parameters.map((name) => [name, { type: 'string' }])),
          required: answers.parameters,
          additionalProperties: false,
        },
        permission_scope: scope,
        timeout_ms: 10_000,
      },
    ],
    permission_scopes: [
      { id: scope, label_i18n_key: `agent.scopes.${scopeKey}.label`, ...label, sensitivity: answers.sensitivity },
    ],
    capability_flags: Object.fromEntries(FLAGS.map((flag) => [flag, answers.flags.includes(flag)])),
  };
}

/** Checks one answer by the rules of the manifest, so that a question refuses what validation would refuse later. */
export function problemWith(path: string, answers: Partial<Answers>, locale: Locale): string | undefined {
  const manifest = writeStarter({ ...DEFAULT_ANSWERS, ...answers });
  const findings = validateManifest(manifest, { locale }).findings;
  return findings.find((finding) => finding.path === path && finding.severity === 'error')?.message;
}
