import type { Locale } from '@parley/base';
import type { Severity } from '../json/finding.ts';

interface Code extends Readonly<Record<Locale, string>> {
  readonly severity: Severity;
}

const error = (en: string, zh: string): Code => ({ severity: 'error', en, 'zh-CN': zh });
const warning = (en: string, zh: string): Code => ({ severity: 'warning', en, 'zh-CN': zh });

/** What can be wrong with a descriptor beyond the faults that every document can have (SD-5). */
export const SKILL_CODES = {
  DESCRIPTOR_TOO_LARGE: error(
    'The descriptor is larger than the {limit} bytes that are allowed ({bytes} counted).',
    '描述符超过允许的 {limit} 字节（已计 {bytes} 字节）。',
  ),
  DESCRIPTOR_LARGE: warning(
    'The descriptor is {bytes} bytes, which is a lot; the limit is {limit}.',
    '描述符共 {bytes} 字节，偏大；上限为 {limit} 字节。',
  ),
  DESCRIPTOR_TOO_DEEP: error(
    'The descriptor nests deeper than {limit} levels here.',
    '描述符在此处的嵌套超过 {limit} 层。',
  ),
  VALUE_NOT_LISTED: error('This must be one of {expected}.', '此处须为 {expected} 之一。'),
  VALUE_OUT_OF_RANGE: error('This number must be from {min} to {max}.', '此数字须在 {min} 到 {max} 之间。'),
  TEXT_TOO_LONG: error('This text may have at most {max} characters.', '此文本最多 {max} 个字符。'),
  LIST_TOO_LONG: error('This list may have at most {max} entries.', '此列表最多 {max} 项。'),
  VERSION_INVALID: error(
    'This is not a SemVer 2.0.0 version such as "1.0.0".',
    '此处不是 SemVer 2.0.0 版本号，例如“1.0.0”。',
  ),
  TIME_INVALID: error(
    'This is not an ISO 8601 time such as "2025-01-15T08:00:00Z".',
    '此处不是 ISO 8601 时间，例如“2025-01-15T08:00:00Z”。',
  ),
  MEDIA_TYPE_INVALID: error(
    'This is not a media type such as "application/json".',
    '此处不是媒体类型，例如“application/json”。',
  ),
  URL_INVALID: error(
    'This must be an absolute web address without user name, password and fragment.',
    '此处须为完整的网址，不含用户名、密码和片段标识。',
  ),
  LINK_INVALID: error('This must be an absolute http or https address.', '此处须为完整的 http 或 https 网址。'),
  URL_NOT_HTTPS: error(
    'This address must begin with https:. Plain http is only for a loopback address during development.',
    '此地址须以 https: 开头。只有开发时的本机回环地址可使用 http。',
  ),
  TEMPLATE_MISPLACED: error(
    'The placeholder {placeholder} may stand in the path or the query only: elsewhere it would choose the server.',
    '占位符 {placeholder} 只能出现在路径或查询部分，否则它会决定请求发往哪台服务器。',
  ),
  TEMPLATE_UNKNOWN: warning(
    'Only {placeholder} is filled in; anything else in braces stays as it is.',
    '只会替换 {placeholder}；其他花括号内容将保持原样。',
  ),
  METHOD_WITHOUT_BODY: warning(
    'A {actual} request carries no inputs, so consumers cannot invoke this skill. Use POST.',
    '{actual} 请求无法携带输入，调用者无法调用此技能。请使用 POST。',
  ),
  CONTENT_TYPE_NOT_JSON: warning(
    'Invocations are JSON; consumers send application/json whatever stands here.',
    '调用请求为 JSON；无论此处写什么，调用者都会发送 application/json。',
  ),
  ID_INVALID: error(
    'The id must have 1 to {max} printable characters, without spaces and without / \\ ? # %.',
    'id 须为 1 到 {max} 个可见字符，不含空格以及 / \\ ? # %。',
  ),
  ID_UNCONVENTIONAL: warning(
    'By convention an id is a reversed domain and a name in lower case, such as "com.example.translate".',
    'id 按约定为小写的反向域名加名称，例如“com.example.translate”。',
  ),
  ID_REPEATED: error('This skill is listed twice in one version.', '同一版本的该技能重复出现。'),
  INPUT_NAME_INVALID: error(
    'The name of an input must have 1 to {max} printable characters without spaces.',
    '输入参数名须为 1 到 {max} 个可见字符，不含空格。',
  ),
  INPUT_NAME_DUPLICATE: error(
    'Another input is already called {actual}; see {first}.',
    '已有另一个输入参数名为 {actual}，见 {first}。',
  ),
  INPUT_TYPE_CONTRADICTED: error(
    'No value is both of the type "{type}" and what this schema wants.',
    '没有任何值既是“{type}”类型又符合此 Schema 的要求。',
  ),
  INPUT_DEFAULT_INVALID: error(
    'The default does not fit the type and the schema of the input ({problem} at "{at}").',
    '默认值不符合该输入参数的类型和 Schema（“{at}”处：{problem}）。',
  ),
  INPUT_DEFAULT_UNUSED: warning(
    'The default is never used, because the input is required.',
    '该输入参数为必填，因此默认值不会被使用。',
  ),
  HEADER_INVALID: error('This is not the name of an HTTP header.', '此处不是合法的 HTTP 头名称。'),
  HEADER_RESERVED: error(
    'The header {actual} has a meaning of its own in HTTP and cannot carry a key.',
    'HTTP 头 {actual} 另有含义，不能用来传递密钥。',
  ),
  COOKIE_INVALID: error('This is not the name of a cookie.', '此处不是合法的 Cookie 名称。'),
  AUTH_PARAMETER_IN_URL: warning(
    'A credential in an address ends up in logs and histories, so consumers do not send this one. Use a header.',
    '写在网址里的凭证会进入日志和历史记录，调用者不会发送。请改用请求头。',
  ),
  AUTH_PARAMETER_DUPLICATE: error(
    'Another parameter is already called {actual}; see {first}.',
    '已有另一个参数名为 {actual}，见 {first}。',
  ),
  AUTH_FIELD_UNUSED: warning(
    'The field "{field}" means nothing with auth.type "{type}".',
    '“auth.type”为“{type}”时，字段“{field}”没有意义。',
  ),
  ACCESS_WITHOUT_AUTH: error(
    'A skill that is not public needs authentication: set auth.type, or make access "public".',
    '非公开的技能需要认证：请设置“auth.type”，或将“access”改为“public”。',
  ),
  ACCESS_PUBLIC_WITH_AUTH: warning(
    'The skill is public and yet asks for credentials. "restricted" says that better.',
    '该技能是公开的却要求凭证，用“restricted” 更贴切。',
  ),
  TAG_DUPLICATE: warning('This tag is listed twice.', '此标签重复。'),
} as const satisfies Readonly<Record<string, Code>>;

export type SkillCode = keyof typeof SKILL_CODES;
