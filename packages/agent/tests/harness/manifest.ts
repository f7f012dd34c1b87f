import type { Manifest } from '@parley/documents';

/** The seeds' manifest, with a low and a high tool beside it. */
export const MANIFEST: Manifest = {
  schema_version: '1.0',
  agent_version: '1.0.0',
  tools: [
    {
      name: 'fetch_url',
      description_i18n_key: 'agent.tools.fetch_url.desc',
      description_fallback: { en: 'Opens a web address', 'zh-CN': '打开一个网址' },
      input_schema: {
        type: 'object',
        properties: { url: { type: 'string', format: 'uri' }, method: { enum: ['GET', 'POST'], default: 'GET' } },
        required: ['url'],
        additionalProperties: false,
      },
      permission_scope: 'network:http',
      timeout_ms: 10000,
    },
    {
      name: 'send_notification',
      description_i18n_key: 'agent.tools.notify.desc',
      description_fallback: { en: 'Shows a short message.' },
      input_schema: {
        type: 'object',
        properties: { title: { type: 'string', maxLength: 80 } },
        required: ['title'],
        additionalProperties: false,
      },
      permission_scope: 'notification:send',
    },
    {
      name: 'read_location',
      description_i18n_key: 'agent.tools.location.desc',
      input_schema: { type: 'object', additionalProperties: false },
      permission_scope: 'location:read',
      timeout_ms: 5000,
    },
  ],
  permission_scopes: [
    { id: 'network:http', label_i18n_key: 'agent.scopes.network_http.label', sensitivity: 'medium' },
    { id: 'notification:send', label_i18n_key: 'agent.scopes.notification.label', sensitivity: 'low' },
    { id: 'location:read', label_i18n_key: 'agent.scopes.location.label', sensitivity: 'high' },
  ],
};
