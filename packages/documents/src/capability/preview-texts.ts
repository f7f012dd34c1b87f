import type { Locale } from '@parley/base';
import type { CapabilityFlag, Sensitivity } from './manifest.ts';

/** The texts of the consent screen that do not come from manifests or presets. */
interface PreviewTexts {
  readonly headline: string;
  readonly headlineOne: string;
  readonly headlineNone: string;
  readonly levels: Readonly<Record<Sensitivity, string>>;
  readonly behaviours: Readonly<Record<Sensitivity, string>>;
  readonly level: string;
  readonly scope: string;
  readonly scopeRequired: string;
  readonly tool: string;
  readonly toolRequired: string;
  readonly parameter: string;
  readonly parameterRequired: string;
  readonly noParameters: string;
  readonly anyMore: string;
  readonly raised: string;
  readonly untranslated: string;
  readonly unused: string;
  readonly flagsTitle: string;
  readonly flags: Readonly<Record<CapabilityFlag, string>>;
  readonly kinds: Readonly<Record<'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object', string>>;
  readonly anything: string;
  readonly nothing: string;
  readonly listOf: string;
  readonly withFormat: string;
  readonly oneOf: string;
  readonly or: string;
  readonly comma: string;
}

export const PREVIEW_TEXTS: Readonly<Record<Locale, PreviewTexts>> = {
  en: {
    headline: 'This agent (version {version}) asks for {count} permissions.',
    headlineOne: 'This agent (version {version}) asks for one permission.',
    headlineNone: 'This agent (version {version}) asks for no permissions.',
    levels: { high: 'High sensitivity', medium: 'Medium sensitivity', low: 'Low sensitivity' },
    behaviours: {
      high: 'asks you every time; without an answer within 30 seconds, it’s denied',
      medium:
        'asks you the first time, then no longer in the same conversation on the same device until it hasn’t been used for 24 hours',
      low: 'runs without asking you',
    },
    level: '{level}: {behaviour}',
    scope: '{label} [{id}]',
    scopeRequired: '{label} [{id}] (required)',
    tool: '{name}: {description}',
    toolRequired: '{name} (required): {description}',
    parameter: '{name}: {type}',
    parameterRequired: '{name}: {type} (required)',
    noParameters: 'needs no values',
    anyMore: 'and any other values',
    raised: 'The agent declares "{declared}", but it’s treated as "{effective}".',
    untranslated: 'The agent doesn’t give this permission a readable name.',
    unused: 'None of the agent’s tools uses this permission.',
    flagsTitle: 'The agent also:',
    flags: {
      supports_streaming: 'shows its answers as it writes them',
      supports_artifacts: 'sends and updates cards',
      supports_voice: 'understands and sends voice messages',
      supports_group_chat: 'can join groups (tools never run there)',
    },
    kinds: {
      null: 'nothing',
      boolean: 'yes or no',
      integer: 'whole number',
      number: 'number',
      string: 'text',
      array: 'list',
      object: 'group of values',
    },
    anything: 'any value',
    nothing: 'no value',
    listOf: 'list of {type}',
    withFormat: '{type}, format {format}',
    oneOf: 'one of {values}',
    or: ' or ',
    comma: ', ',
  },
  'zh-CN': {
    headline: '此 Agent（版本 {version}）请求 {count} 项权限。',
    headlineOne: '此 Agent（版本 {version}）请求 1 项权限。',
    headlineNone: '此 Agent（版本 {version}）不请求任何权限。',
    levels: { high: '高敏感度', medium: '中敏感度', low: '低敏感度' },
    behaviours: {
      high: '每次都会询问您；30 秒内没有答复即拒绝',
      medium: '首次会询问您，之后在同一设备的同一会话中不再询问；超过 24 小时未使用则重新询问',
      low: '直接执行，不询问您',
    },
    level: '{level}：{behaviour}',
    scope: '{label} [{id}]',
    scopeRequired: '{label} [{id}]（必需）',
    tool: '{name}：{description}',
    toolRequired: '{name}（必需）：{description}',
    parameter: '{name}：{type}',
    parameterRequired: '{name}：{type}（必填）',
    noParameters: '没有参数',
    anyMore: '以及任何其他参数',
    raised: 'Agent 将此权限声明为“{declared}”，但会按“{effective}”处理。',
    untranslated: 'Agent 没有为此权限提供可读的名称。',
    unused: 'Agent 没有任何工具使用此权限。',
    flagsTitle: '此 Agent 还会：',
    flags: {
      supports_streaming: '边写边显示回答',
      supports_artifacts: '发送和更新卡片',
      supports_voice: '接收和发送语音消息',
      supports_group_chat: '加入群聊（群聊中不能使用工具）',
    },
    kinds: {
      null: '空值',
      boolean: '是或否',
      integer: '整数',
      number: '数字',
      string: '文本',
      array: '列表',
      object: '一组值',
    },
    anything: '任意值',
    nothing: '不接受任何值',
    listOf: '{type}的列表',
    withFormat: '{type}，格式为 {format}',
    oneOf: '{values} 之一',
    or: '或',
    comma: '、',
  },
};
