import type { Locale } from '@parley/base';

/** What can be wrong with a tool's arguments. */
export const ARGUMENT_MESSAGES = {
  ARG_TYPE: { en: 'The value must be {expected}.', 'zh-CN': '值必须是{expected}。' },
  ARG_ENUM: { en: 'The value must be one of: {allowed}.', 'zh-CN': '值必须是以下之一：{allowed}。' },
  ARG_RANGE: { en: 'The number must be {bound}.', 'zh-CN': '数值必须 {bound}。' },
  ARG_MULTIPLE: { en: 'The number must be a multiple of {divisor}.', 'zh-CN': '数值必须是 {divisor} 的倍数。' },
  ARG_LENGTH: { en: 'The number of characters must be {bound}.', 'zh-CN': '字符数必须 {bound}。' },
  ARG_PATTERN: { en: 'The text must match the pattern {pattern}.', 'zh-CN': '文本必须匹配模式 {pattern}。' },
  ARG_FORMAT: { en: 'The text isn’t a valid {format}.', 'zh-CN': '文本不是有效的 {format}。' },
  ARG_ITEMS: { en: 'The number of items must be {bound}.', 'zh-CN': '数组项数必须 {bound}。' },
  ARG_UNIQUE: { en: 'No two items can be equal.', 'zh-CN': '数组中不能有相同的项。' },
  ARG_CONTAINS: {
    en: 'The number of items of the demanded kind must be {bound}.',
    'zh-CN': '符合要求的数组项数必须 {bound}。',
  },
  ARG_REQUIRED: { en: 'The property {name} is missing.', 'zh-CN': '缺少属性 {name}。' },
  ARG_UNKNOWN_PROPERTY: { en: 'There’s no property with this name.', 'zh-CN': '没有这个名称的属性。' },
  ARG_PROPERTY_NAME: { en: 'A property can’t have this name.', 'zh-CN': '属性不能使用这个名称。' },
  ARG_PROPERTIES: { en: 'The number of properties must be {bound}.', 'zh-CN': '属性个数必须 {bound}。' },
  ARG_DEPENDENT: {
    en: 'The property {needed} is missing; it is required where {name} is given.',
    'zh-CN': '缺少属性 {needed}：提供 {name} 时必须同时提供它。',
  },
  ARG_NO_ALTERNATIVE: { en: 'The value fits none of the alternatives.', 'zh-CN': '值不符合任何一个可选形式。' },
  ARG_NOT_ONE: {
    en: 'The value must fit exactly one of the alternatives; it fits {matched}.',
    'zh-CN': '值必须恰好符合一个可选形式，实际符合 {matched} 个。',
  },
  ARG_FORBIDDEN: { en: 'This value isn’t allowed here.', 'zh-CN': '此处不允许这个值。' },
  ARG_TOO_COMPLEX: {
    en: 'Checking this value against its schema takes too many steps.',
    'zh-CN': '按其 Schema 检查这个值所需的步骤过多。',
  },
  ARG_TOO_DEEP: { en: 'The value or its schema nests too deeply.', 'zh-CN': '值或其 Schema 嵌套过深。' },
} as const satisfies Record<string, Readonly<Record<Locale, string>>>;

export type ArgumentCode = keyof typeof ARGUMENT_MESSAGES;
