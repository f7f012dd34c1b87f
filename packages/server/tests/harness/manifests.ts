import type { JsonObject } from '@parley/documents';

interface Parts {
  readonly agent_version?: string;
  readonly tools?: readonly JsonObject[];
  readonly permission_scopes?: readonly JsonObject[];
  readonly capability_flags?: JsonObject;
}

export const READ_FILE = {
  name: 'read_file',
  description_i18n_key: 'agent.cap.read_file.description',
  description_fallback: { en: 'Reads a file you name', 'zh-CN': '读取你指定的文件' },
  input_schema: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
  permission_scope: 'filesystem:read',
};
export const FILES = {
  id: 'filesystem:read',
  label_i18n_key: 'agent.scope.filesystem_read.label',
  sensitivity: 'medium',
};
export const NETWORK = {
  id: 'network:http',
  label_i18n_key: 'agent.scopes.network_http.label',
  label_fallback: { en: 'Fetch web pages', 'zh-CN': '访问网页' },
  sensitivity: 'medium',
};

/** A valid manifest without warnings, with one tool unless told otherwise. */
export function makeManifest(parts: Parts = {}) {
  return {
    schema_version: '1.0',
    agent_version: '1.0.0',
    tools: [READ_FILE],
    permission_scopes: [FILES],
    ...parts,
  };
}
