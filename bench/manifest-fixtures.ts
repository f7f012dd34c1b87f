import type { Json } from '@parley/documents';

const SCOPES = ['network:http', 'filesystem:read', 'calendar:write', 'notification:send', 'location:read'];

/** Creates a manifest as an author writes it, with unsorted keys; every fourth schema is sorted, as generators do. */
export function makeManifest(tools: number): Json {
  const scopes = SCOPES.slice(0, tools);
  const manifest: Json = {
    schema_version: '1.0',
    agent_version: '1.4.2',
    tools: Array.from({ length: tools }, (_, index) => makeTool(index, scopes[index % scopes.length]!)),
    permission_scopes: scopes.map(makeScope),
    capability_flags: {
      supports_streaming: true,
      supports_artifacts: true,
      supports_voice: false,
      supports_group_chat: true,
    },
  };
  // Copied, so that no object is shared and no string is a concatenation, as after a download.
  return JSON.parse(JSON.stringify(manifest));
}

function makeTool(index: number, scope: string): Json {
  if (index === 0) {
    return {
      name: 'fetch_web_page',
      description_i18n_key: 'agent.tools.fetch_web.desc',
      input_schema: FETCH_SCHEMA,
      permission_scope: scope,
      timeout_ms: 10_000,
    };
  }
  return {
    name: `plan_task_${index}`,
    description_i18n_key: `agent.tools.plan_task_${index}.desc`,
    description_fallback: {
      en: `Lets the agent plan "task ${index}" on your device, only after you allow it.`,
      'zh-CN': '在您允许之后，智能体可以在您的设备上执行此操作。',
    },
    input_schema: index % 4 === 3 ? sortKeys(PLAN_SCHEMA) : PLAN_SCHEMA,
    permission_scope: scope,
    required: index % 5 === 0,
    timeout_ms: 1000 * (1 + (index % 30)),
  };
}

function makeScope(id: string, index: number): Json {
  const key = `agent.scopes.${id.replace(':', '_')}`;
  const scope = { id, label_i18n_key: `${key}.label`, sensitivity: ['medium', 'low', 'high'][index % 3]! };
  if (index === 0) return scope;
  return {
    ...scope,
    description_i18n_key: `${key}.description`,
    label_fallback: { en: 'Plan on your device', 'zh-CN': '在设备上安排任务' },
  };
}

const FETCH_SCHEMA: Json = {
  type: 'object',
  properties: { url: { type: 'string', format: 'uri' }, method: { enum: ['GET', 'POST'], default: 'GET' } },
  required: ['url'],
  additionalProperties: false,
};

const PLAN_SCHEMA: Json = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 200, description: 'Shown to the person who decides.' },
    url: { type: 'string', format: 'uri' },
    method: { enum: ['GET', 'POST', 'PUT'], default: 'GET' },
    tags: {
      type: 'array',
      items: { type: 'string', pattern: '^[a-z][a-z0-9_-]{0,31}$' },
      maxItems: 20,
      uniqueItems: true,
    },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    range: {
      type: 'object',
      properties: { from: { type: 'string', format: 'date-time' }, to: { type: 'string', format: 'date-time' } },
      required: ['from'],
      additionalProperties: false,
    },
    place: { anyOf: [{ $ref: '#/$defs/point' }, { type: 'null' }] },
  },
  required: ['title', 'url'],
  additionalProperties: false,
  $defs: {
    point: {
      type: 'object',
      properties: {
        lat: { type: 'number', minimum: -90, maximum: 90 },
        lon: { type: 'number', minimum: -180, maximum: 180 },
      },
      required: ['lat', 'lon'],
      additionalProperties: false,
    },
  },
};

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}
