import type { Manifest } from '@parley/documents';

const head = { schema_version: '1.0', agent_version: '1.0.0' } as const;

const readFile = {
  name: 'read_file',
  description_i18n_key: 'agent.tools.read_file.description',
  description_fallback: { en: 'Reads one file that you choose', 'zh-CN': '读取您选择的一个文件' },
  input_schema: {
    type: 'object',
    properties: { path: { type: 'string', minLength: 1 } },
    required: ['path'],
    additionalProperties: false,
  },
  permission_scope: 'filesystem:read',
};
const files = {
  id: 'filesystem:read',
  label_i18n_key: 'scopes.filesystem_read.label',
  sensitivity: 'medium',
} as const;

const fetchUrl = {
  name: 'fetch_url',
  description_i18n_key: 'agent.tools.fetch_url.description',
  description_fallback: { en: 'Opens a web page and reads its text', 'zh-CN': '打开网页并读取其文字' },
  input_schema: {
    type: 'object',
    properties: { url: { type: 'string', format: 'uri', maxLength: 2048 } },
    required: ['url'],
    additionalProperties: false,
  },
  permission_scope: 'network:http',
  timeout_ms: 15_000,
};
const web = {
  id: 'network:http',
  label_i18n_key: 'scopes.network_http.label',
  label_fallback: { en: 'Fetch web pages', 'zh-CN': '访问网页' },
  description_fallback: { en: 'Opens addresses you see beforehand', 'zh-CN': '打开您事先看到的网址' },
  sensitivity: 'medium',
} as const;

const notify = {
  name: 'send_notification',
  description_i18n_key: 'agent.tools.send_notification.description',
  description_fallback: { en: 'Shows you a short message', 'zh-CN': '向您显示一条简短消息' },
  input_schema: {
    type: 'object',
    properties: { title: { type: 'string', maxLength: 80 }, body: { type: 'string', maxLength: 400 } },
    required: ['title'],
    additionalProperties: false,
  },
  permission_scope: 'notification:send',
  required: true,
};
const notifications = {
  id: 'notification:send',
  label_i18n_key: 'scopes.notification_send.label',
  sensitivity: 'low',
} as const;

const locate = {
  name: 'get_location',
  description_i18n_key: 'agent.tools.get_location.description',
  description_fallback: { en: 'Reads where you are', 'zh-CN': '获取您所在的位置' },
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
  permission_scope: 'location:read',
};
const location = {
  id: 'location:read',
  label_i18n_key: 'scopes.location_read.label',
  sensitivity: 'high',
} as const;

/** Templates for a first manifest; each is valid as it is. */
export const TEMPLATES = {
  empty: { ...head, tools: [], permission_scopes: [] },
  reader: { ...head, tools: [readFile], permission_scopes: [files], capability_flags: { supports_streaming: true } },
  fetcher: { ...head, tools: [fetchUrl], permission_scopes: [web], capability_flags: { supports_streaming: true } },
  full: {
    ...head,
    tools: [notify, readFile, fetchUrl, locate],
    permission_scopes: [notifications, files, web, location],
    capability_flags: { supports_streaming: true, supports_artifacts: true },
  },
} as const satisfies Record<string, unknown> as unknown as Readonly<
  Record<'empty' | 'reader' | 'fetcher' | 'full', Manifest>
>;
