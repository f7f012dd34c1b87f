import type { Texts } from '@parley/base';
import type { Severity } from './json/finding.ts';
import type { Expected } from './json/token.ts';
import type { SchemaProblem } from './schema/scan.ts';

export interface Code<Text extends string = string> extends Texts {
  readonly severity: Severity;
  /** The English text; its literal type says which parameters a finding must bring. */
  readonly en: Text;
}

export function error<const Text extends string>(en: Text, zh: string): Code<Text> {
  return { severity: 'error', en, 'zh-CN': zh };
}

export function warning<const Text extends string>(en: Text, zh: string): Code<Text> {
  return { severity: 'warning', en, 'zh-CN': zh };
}

/** Every code a manifest finding can have (CM-15). `CODE.reason` is the text of that code for one `params.reason`. */
export const CODES = {
  MANIFEST_TOO_LARGE: error(
    'The manifest is larger than the {limit} bytes that are allowed ({bytes} counted).',
    '能力清单超过允许的 {limit} 字节（已计 {bytes} 字节）。',
  ),
  MANIFEST_LARGE: warning(
    'The manifest is {bytes} bytes, which is a lot; the limit is {limit}. Fewer tools with richer schemas are easier to consent to.',
    '能力清单共 {bytes} 字节，偏大；上限为 {limit} 字节。减少工具、丰富参数结构，更便于用户同意。',
  ),
  MANIFEST_TOO_DEEP: error(
    'The manifest nests deeper than {limit} levels here.',
    '能力清单在此处的嵌套超过 {limit} 层。',
  ),
  MANIFEST_SCHEMA_VERSION_UNSUPPORTED: error(
    'This "schema_version" isn’t supported. It must be the string "{supported}". Nothing else was checked.',
    '不支持此“schema_version”，必须是字符串“{supported}”。其余内容未检查。',
  ),
  TOO_MANY_FINDINGS: warning(
    'There are more problems than are listed here. At most {limit} errors and {limit} warnings are shown.',
    '问题过多，未全部列出；最多显示 {limit} 个错误和 {limit} 个警告。',
  ),
  JSON_SYNTAX: error(
    'This isn’t JSON: line {line}, column {column} has {found} where {expected} should be.',
    '此处不是有效的 JSON：第 {line} 行第 {column} 列是{found}，应为{expected}。',
  ),
  JSON_DUPLICATE_KEY: error('The key "{key}" appears twice in this object.', '此对象中的键“{key}”出现了两次。'),
  JSON_BOM: error('The text begins with a byte-order mark.', '文本以字节顺序标记（BOM）开头。'),
  JSON_INVALID_UTF8: error(
    'The byte at offset {offset} is not valid UTF-8.',
    '偏移 {offset} 处的字节不是合法的 UTF-8。',
  ),
  JSON_LONE_SURROGATE: error(
    'A key or text here holds half of a surrogate pair.',
    '此处的键或文本中有不成对的代理码元。',
  ),
  JSON_TOO_DEEP: error('The text nests deeper than {max} levels here.', '文本在此处的嵌套超过 {max} 层。'),
  JSON_NUMBER_OUT_OF_RANGE: error('This number is too large for JSON readers.', '此数字超出 JSON 可表示的范围。'),
  JSON_TOO_LONG: error('The text is {length} long; at most {max} is read.', '文本长度为 {length}，最多读取 {max}。'),
  VALUE_NOT_JSON: error('JSON cannot hold this value ({actual}).', 'JSON 无法表示此值（{actual}）。'),
  FIELD_MISSING: error('The field "{field}" is missing.', '缺少字段“{field}”。'),
  FIELD_TYPE: error('This must be {expected}, not {actual}.', '此处应为{expected}，而不是{actual}。'),
  FIELD_EMPTY: error('The field "{field}" can’t be empty.', '字段“{field}”不能为空。'),
  FIELD_UNKNOWN: warning(
    'The field "{field}" isn’t known and is ignored. For fields of your own, use names that start with "x-".',
    '未知字段“{field}”会被忽略。自定义字段请使用以“x-”开头的名称。',
  ),
  AGENT_VERSION_INVALID: error(
    'This isn’t a SemVer 2.0.0 version such as "1.0.0".',
    '此处不是 SemVer 2.0.0 版本号，例如“1.0.0”。',
  ),
  TOOL_NAME_INVALID: error(
    'The tool name "{name}" must have 2 to 32 characters: lower-case letters, digits and underscores, a letter first.',
    '工具名“{name}”须为 2 到 32 个字符，只含小写字母、数字和下划线，并以字母开头。',
  ),
  TOOL_NAME_DUPLICATE: error(
    'Another tool is already called "{name}"; see {first}.',
    '已有另一个工具名为“{name}”，见 {first}。',
  ),
  TIMEOUT_OUT_OF_RANGE: error(
    '"timeout_ms" must be from {min} to {max} milliseconds.',
    '“timeout_ms”须在 {min} 到 {max} 毫秒之间。',
  ),
  SCOPE_UNDECLARED: error(
    'No entry of "permission_scopes" has the id "{scope}".',
    '“permission_scopes”中没有 id 为“{scope}”的条目。',
  ),
  SCOPE_ID_INVALID: error(
    'The permission id "{id}" must have 1 to {max} printable characters without spaces.',
    '权限 id“{id}”须为 1 到 {max} 个可见字符，不含空格。',
  ),
  SCOPE_ID_DUPLICATE: error(
    'Another permission already has the id "{id}"; see {first}.',
    '已有另一个权限的 id 为“{id}”，见 {first}。',
  ),
  SCOPE_ID_UNCONVENTIONAL: warning(
    'By convention, a permission id is a domain and an action in lower case, such as "filesystem:read"; "{id}" is not.',
    '按约定，权限 id 由小写的领域和操作组成，例如“filesystem:read”；“{id}”不符合。',
  ),
  SCOPE_RESERVED: error(
    'The permission id "{id}" starts with "{prefix}", which belongs to the platform.',
    '权限 id“{id}”以“{prefix}”开头，该前缀由平台保留。',
  ),
  SCOPE_BELOW_PRESET: warning(
    'The permission "{id}" is declared "{declared}", but its built-in level is "{preset}". Clients use "{preset}".',
    '权限“{id}”声明为“{declared}”，但其内置级别是“{preset}”；客户端将按“{preset}”处理。',
  ),
  SCOPE_TEXT_MISSING: warning(
    'The permission "{id}" has no built-in text and no "label_fallback". People will see the key "{key}" instead of words.',
    '权限“{id}”没有内置文案，也没有“label_fallback”。用户看到的将是键名“{key}”而不是文字。',
  ),
  SENSITIVITY_INVALID: error(
    'The sensitivity must be "low", "medium" or "high".',
    '“sensitivity”须为“low”、“medium”或“high”。',
  ),
  FLAG_UNKNOWN: warning('The capability flag "{flag}" isn’t known and is ignored.', '未知的能力标志“{flag}”会被忽略。'),
  SCHEMA_ROOT_NOT_OBJECT: error(
    'The input schema must have "type": "object" at its root.',
    '“input_schema”的根必须是“"type": "object"”。',
  ),
  SCHEMA_OPEN: warning(
    'The input schema does not say "additionalProperties": false at its root, so any further argument is accepted.',
    '“input_schema”的根没有写明“"additionalProperties": false”，因此会接受任何额外参数。',
  ),
  'SCHEMA_INVALID.not_a_schema': error(
    'This isn’t a JSON Schema. It must be {expected}.',
    '此处不是 JSON Schema，应为{expected}。',
  ),
  'SCHEMA_INVALID.wrong_value': error(
    'This JSON Schema keyword has a wrong value. It must be {expected}.',
    '此 JSON Schema 关键字的值有误，应为{expected}。',
  ),
  'SCHEMA_INVALID.duplicate_anchor': error(
    'Another part of the schema already has this anchor.',
    'Schema 的另一处已使用此锚点。',
  ),
  'SCHEMA_UNSAFE.keyword': error(
    'The keyword "{keyword}" isn’t allowed in an input schema.',
    '“input_schema”中不允许使用关键字“{keyword}”。',
  ),
  'SCHEMA_UNSAFE.pattern': error(
    'This pattern is not RE2 syntax; look-around and back-references are not supported.',
    '此正则表达式不符合 RE2 语法；不支持环视和反向引用。',
  ),
  'SCHEMA_UNSAFE.remote_ref': error(
    'Only references inside the schema itself ("#…") are allowed.',
    '只允许引用 Schema 自身内部的内容（“#…”）。',
  ),
  'SCHEMA_UNSAFE.ref_loop': error(
    'This reference leads back to itself without looking at any property or item, so checking would never end.',
    '此引用绕回自身而未进入任何属性或数组元素，校验将永不结束。',
  ),
  'SCHEMA_UNSAFE.too_deep': error('The schema nests deeper than {limit} levels.', 'Schema 的嵌套超过 {limit} 层。'),
  'SCHEMA_UNSAFE.too_many_subschemas': error(
    'The schema has more than {limit} subschemas.',
    'Schema 中的子 Schema 超过 {limit} 个。',
  ),
  'SCHEMA_UNSAFE.too_many_patterns': error(
    'All patterns of the manifest together are too large. Simplify or remove some. High repetition counts make them large.',
    '能力清单中的正则表达式总体过大，请简化或删去一些。重复次数过多最占空间。',
  ),
  SCHEMA_DIALECT_UNSUPPORTED: error(
    'This JSON Schema dialect is not supported here; use "{expected}".',
    '此处不支持这种 JSON Schema 方言，请使用“{expected}”。',
  ),
  SCHEMA_DIALECT_DIFFERS: error(
    'The keyword "{keyword}" does not mean the same here in {dialect} as in draft 2020-12; write the schema in draft 2020-12.',
    '关键字“{keyword}”在此处的 {dialect} 含义与 2020-12 草案不同；请用 2020-12 草案书写此 Schema。',
  ),
  SCHEMA_DIALECT_OLD: warning(
    'This schema is written in JSON Schema {dialect}; it is read as draft 2020-12, in which it means the same.',
    '此 Schema 以 JSON Schema {dialect} 书写；将按 2020-12 草案读取，含义不变。',
  ),
  SCHEMA_REF_UNRESOLVED: error('This reference points to nothing.', '此引用没有指向任何内容。'),
} as const;

export type TextKey = keyof typeof CODES;
export type CodeTable = Readonly<Record<string, Code>>;

type ParamNames<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;
export type ParamsOf<Key extends keyof Table, Table extends CodeTable = typeof CODES> = Readonly<
  Record<ParamNames<Table[Key]['en']>, string | number>
>;

/** The phrases for `expected`, `actual` and `found`: `params` has machine words, sentences have these. */
export const PHRASES = {
  null: { en: 'null', 'zh-CN': 'null' },
  boolean: { en: 'a boolean', 'zh-CN': '布尔值' },
  integer: { en: 'an integer', 'zh-CN': '整数' },
  number: { en: 'a number', 'zh-CN': '数字' },
  string: { en: 'a string', 'zh-CN': '字符串' },
  array: { en: 'an array', 'zh-CN': '数组' },
  object: { en: 'an object', 'zh-CN': '对象' },
  other: { en: 'something else', 'zh-CN': '其他内容' },
  text: { en: 'a string or a map from locale to string', 'zh-CN': '字符串，或由语言到字符串的映射' },
  schema: { en: 'an object or a boolean', 'zh-CN': '对象或布尔值' },
  schemas: { en: 'a non-empty array of schemas', 'zh-CN': '由 Schema 组成的非空数组' },
  map_of_schemas: { en: 'an object whose values are schemas', 'zh-CN': '值为 Schema 的对象' },
  type: { en: 'a type name or a list of different type names', 'zh-CN': '类型名，或互不相同的类型名列表' },
  positive_number: { en: 'a number above 0', 'zh-CN': '大于 0 的数字' },
  count: { en: 'an integer from 0 up', 'zh-CN': '不小于 0 的整数' },
  unique_strings: { en: 'an array of different strings', 'zh-CN': '互不相同的字符串数组' },
  map_of_unique_strings: {
    en: 'an object whose values are arrays of different strings',
    'zh-CN': '值为互不相同的字符串数组的对象',
  },
  anchor: { en: 'a name of letters, digits, "-", "_" and "."', 'zh-CN': '由字母、数字、“-”、“_”和“.”组成的名称' },
  value: { en: 'a value', 'zh-CN': '一个值' },
  key: { en: 'a key in double quotes', 'zh-CN': '双引号中的键' },
  colon: { en: 'a colon', 'zh-CN': '冒号' },
  comma_or_brace: { en: 'a comma or "}"', 'zh-CN': '逗号或“}”' },
  comma_or_bracket: { en: 'a comma or "]"', 'zh-CN': '逗号或“]”' },
  end: { en: 'the end', 'zh-CN': '结尾' },
  digit: { en: 'a digit', 'zh-CN': '数字字符' },
  closing_quote: { en: 'a closing quote', 'zh-CN': '结束引号' },
  escape: { en: 'a known escape', 'zh-CN': '合法的转义' },
  hex_digit: { en: 'a hexadecimal digit', 'zh-CN': '十六进制数字' },
  escaped_control: { en: 'the control character written as an escape', 'zh-CN': '写成转义形式的控制字符' },
} satisfies Readonly<Record<Expected, Texts>> & Readonly<Record<string, Texts>>;

type SchemaTextKey<Problem = SchemaProblem> = Problem extends { code: infer Code; params: infer Params }
  ? `${Code & string}${Params extends { reason: infer Reason } ? `.${Reason & string}` : ''}`
  : never;
CODES satisfies Readonly<Record<SchemaTextKey, unknown>>;
