import { type ErrorEntry, isParleyError, type ParleyError } from '@parley/base';

interface WireErrorEntry extends ErrorEntry {
  /** The first is the default; some codes are also sent with another one (SI-4). */
  readonly http: readonly [number, ...number[]];
}

/**
 * Every error code of the system (TR-7), as data. `docs/errors.md` is generated from it. Texts of 5xx codes have no
 * parameters, because a 5xx never carries internals.
 */
export const ERRORS = {
  // Requests
  BAD_REQUEST: {
    http: [400],
    retry: false,
    text: { en: 'The request is malformed.', 'zh-CN': '请求格式不正确。' },
  },
  UNAUTHENTICATED: {
    http: [401],
    retry: false,
    text: {
      en: 'Sign in first: the token is missing, wrong or expired.',
      'zh-CN': '请先登录：令牌缺失、错误或已过期。',
    },
  },
  FORBIDDEN: {
    http: [403],
    retry: false,
    text: { en: 'You are not allowed to do this.', 'zh-CN': '你没有权限执行此操作。' },
  },
  OWN_ACCOUNT: {
    http: [403],
    retry: false,
    text: {
      en: 'Operators cannot do this to their own account. Ask another operator to do it.',
      'zh-CN': '运营者不能对自己的账户执行此操作，请让另一位运营者来做。',
    },
  },
  NOT_FOUND: {
    http: [404],
    retry: false,
    text: { en: 'There is nothing at this address.', 'zh-CN': '未找到请求的内容。' },
  },
  IDEMPOTENCY_CONFLICT: {
    http: [409],
    retry: false,
    text: {
      en: 'This Idempotency-Key was already used for a different request.',
      'zh-CN': '该 Idempotency-Key 已用于另一个不同的请求。',
    },
  },
  PRECONDITION_FAILED: {
    http: [412],
    retry: false,
    text: {
      en: 'Someone else changed this in the meantime. Load it again, then repeat your change.',
      'zh-CN': '内容已被他人修改，请重新加载后再提交更改。',
    },
  },
  PAYLOAD_TOO_LARGE: {
    http: [413],
    retry: false,
    text: { en: 'The request is larger than {limit} bytes.', 'zh-CN': '请求超过 {limit} 字节。' },
  },
  RATE_LIMITED: {
    http: [429],
    retry: true,
    text: {
      en: 'Too many requests. Try again in {retry_after_seconds} seconds.',
      'zh-CN': '请求过于频繁，请在 {retry_after_seconds} 秒后重试。',
    },
  },
  // 403, not 429: waiting does not help. Not 507 either: no 5xx says anything about the account.
  QUOTA_EXCEEDED: {
    http: [403],
    retry: false,
    text: {
      en: 'The account is at a limit of this server ({budget}: {used} of {limit}). Delete what is no longer needed, or ask the operator for more.',
      'zh-CN':
        '账户已达到此服务器的上限（{budget}：已用 {used}，上限 {limit}）。请删除不再需要的内容，或请运营者提高上限。',
    },
  },
  // Not to be retried blindly: nobody knows how far the request got.
  INTERNAL: {
    http: [500],
    retry: false,
    text: { en: 'Something went wrong on our side.', 'zh-CN': '服务器内部出现错误。' },
  },
  UNAVAILABLE: {
    http: [503],
    retry: true,
    text: { en: 'The service is not available at the moment.', 'zh-CN': '服务暂时不可用。' },
  },

  // Accounts, sessions and keys
  LOGIN_FAILED: {
    http: [401, 403],
    retry: false,
    text: {
      en: 'The e-mail address or the password is wrong.',
      'zh-CN': '邮箱地址或密码不正确。',
    },
  },
  TOO_MANY_ATTEMPTS: {
    http: [429],
    retry: true,
    text: {
      en: 'Too many wrong attempts. Try again in {retry_after_seconds} seconds.',
      'zh-CN': '错误次数过多，请在 {retry_after_seconds} 秒后重试。',
    },
  },
  REAUTHENTICATION_REQUIRED: {
    http: [403],
    retry: false,
    text: {
      en: 'Enter your password, or use a passkey, before you do this.',
      'zh-CN': '执行此操作前，请先输入密码或使用通行密钥。',
    },
  },
  REGISTRATION_CLOSED: {
    http: [403],
    retry: false,
    text: {
      en: 'New accounts cannot be created on this server. Ask its operator.',
      'zh-CN': '此服务器不接受新注册，请联系运营者。',
    },
  },
  INVITATION_INVALID: {
    http: [403],
    retry: false,
    text: {
      en: 'You need an invitation to register here, and this one is missing, used up or expired. Ask for a new one.',
      'zh-CN': '在此注册需要邀请，而邀请缺失、已用完或已过期。请索取新的邀请。',
    },
  },
  RESET_CODE_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'This link for a new password was used already or has expired. Ask for a new one.',
      'zh-CN': '此重置密码链接已被使用或已过期，请重新获取。',
    },
  },
  EMAIL_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'This is not an e-mail address.',
      'zh-CN': '这不是有效的邮箱地址。',
    },
  },
  EMAIL_TAKEN: {
    http: [409],
    retry: false,
    text: {
      en: 'There is an account with this e-mail address already.',
      'zh-CN': '该邮箱地址已注册。',
    },
  },
  CODE_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The code from the e-mail is missing, wrong or expired.',
      'zh-CN': '邮件中的验证码缺失、错误或已过期。',
    },
  },
  REFRESH_CONFLICT: {
    http: [409],
    retry: false,
    text: {
      en: 'This refresh token was exchanged a moment ago. Use the one that replaced it.',
      'zh-CN': '该刷新令牌刚刚已被换取，请使用新的令牌。',
    },
  },
  PASSKEY_REFUSED: {
    http: [401],
    retry: false,
    text: {
      en: 'The passkey was not accepted.',
      'zh-CN': '通行密钥验证未通过。',
    },
  },
  AUTHORIZATION_PENDING: {
    http: [400],
    retry: true,
    text: {
      en: 'Nobody has answered the request of this device yet.',
      'zh-CN': '该设备的登录请求尚未得到确认。',
    },
  },
  SLOW_DOWN: {
    http: [400],
    retry: true,
    text: {
      en: 'Ask less often: wait {interval} seconds between two requests.',
      'zh-CN': '请求过于密集，两次请求之间请间隔 {interval} 秒。',
    },
  },
  EXPIRED_TOKEN: {
    http: [400],
    retry: false,
    text: {
      en: 'The code of this device has expired. Begin again.',
      'zh-CN': '设备码已过期，请重新开始。',
    },
  },
  ACCESS_DENIED: {
    http: [400],
    retry: false,
    text: {
      en: 'The request of this device was refused.',
      'zh-CN': '该设备的登录请求已被拒绝。',
    },
  },
  SIGNATURE_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The signature at {path} does not fit what it signs.',
      'zh-CN': '{path} 处的签名与所签内容不符。',
    },
  },
  STATEMENT_CONFLICT: {
    http: [409],
    retry: false,
    text: {
      en: 'There is a newer statement in this chain. Read it, and sign again on top of it.',
      'zh-CN': '该链中已有更新的声明，请先读取，再基于它重新签名。',
    },
  },
  STATEMENT_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The signed statement does not fit this request: {problem}.',
      'zh-CN': '已签名的声明与本次请求不符：{problem}。',
    },
  },
  ID_TAKEN: {
    http: [409],
    retry: false,
    text: { en: 'This id is taken. Make another one.', 'zh-CN': '此 ID 已被占用，请另行生成。' },
  },
  DEVICE_REVOKED: {
    http: [409],
    retry: false,
    text: {
      en: 'These keys belong to a device that was revoked. Make new ones.',
      'zh-CN': '这些密钥属于已被撤销的设备，请生成新的密钥。',
    },
  },
  LIMIT_REACHED: {
    http: [409],
    retry: false,
    text: {
      en: 'There are {limit} of these already. Remove one first.',
      'zh-CN': '数量已达上限 {limit}，请先移除一个。',
    },
  },
  IDENTITY_MISSING: {
    http: [409],
    retry: false,
    text: {
      en: 'Register the identity keys of this device or agent first.',
      'zh-CN': '请先注册该设备或 Agent 的身份密钥。',
    },
  },

  // Capability manifests and grants
  MANIFEST_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The capability manifest has errors: {error_count}.',
      'zh-CN': '能力清单存在错误：{error_count} 个。',
    },
  },
  MANIFEST_SCHEMA_VERSION_UNSUPPORTED: {
    http: [422],
    retry: false,
    text: {
      en: 'This schema_version is not supported. Supported: {supported}.',
      'zh-CN': '不支持该 schema_version。支持的版本：{supported}。',
    },
  },
  MANIFEST_TOO_LARGE: {
    http: [413],
    retry: false,
    text: {
      en: 'The capability manifest has {bytes} bytes in canonical form; at most {limit} are allowed.',
      'zh-CN': '能力清单的规范形式为 {bytes} 字节，上限为 {limit} 字节。',
    },
  },
  MANIFEST_CHANGED: {
    http: [409],
    retry: false,
    text: {
      en: 'The agent changed its capability manifest after you read it. Read the new one before you agree.',
      'zh-CN': '在你阅读之后，该 Agent 更改了能力清单。请先阅读新的清单再授权。',
    },
  },
  SCHEMA_UNSAFE: {
    http: [422],
    retry: false,
    text: {
      en: 'An input schema uses something that is not allowed in untrusted schemas, at {path}.',
      'zh-CN': '输入 schema 在 {path} 处使用了不可信 schema 中不允许的内容。',
    },
  },
  SCOPE_RESERVED: {
    http: [422],
    retry: false,
    text: {
      en: 'The permission scope {id} belongs to the platform and cannot be declared.',
      'zh-CN': '权限范围 {id} 由平台保留，不能自行声明。',
    },
  },
  SCOPE_UNKNOWN: {
    http: [422],
    retry: false,
    text: {
      en: 'The capability manifest declares no permission scope {scope}.',
      'zh-CN': '能力清单中没有声明权限范围 {scope}。',
    },
  },
  SCOPE_REQUIRED: {
    http: [422],
    retry: false,
    text: {
      en: 'The agent cannot work without these permission scopes: {scopes}.',
      'zh-CN': '缺少以下权限范围时该 Agent 无法工作：{scopes}。',
    },
  },
  RELATION_EXISTS: {
    http: [409],
    retry: false,
    text: { en: 'You have added this agent already.', 'zh-CN': '你已添加该 Agent。' },
  },
  RELATION_ENDED: {
    http: [409],
    retry: false,
    text: {
      en: 'This relation has ended. Add the agent again to use it.',
      'zh-CN': '该授权关系已结束，如需使用请重新添加该 Agent。',
    },
  },
  LEDGER_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The signed ledger entry does not fit this request: {problem}.',
      'zh-CN': '已签名的账本条目与本次请求不符：{problem}。',
    },
  },
  LEDGER_CONFLICT: {
    http: [409],
    retry: false,
    text: {
      en: 'The grant ledger has a newer entry. Sign again on top of it.',
      'zh-CN': '授权账本已有更新的条目，请基于最新条目重新签名。',
    },
  },

  // Agents
  AGENT_SUSPENDED: {
    http: [403],
    retry: false,
    text: {
      en: 'The owner of this agent has suspended it.',
      'zh-CN': '该 Agent 已被其所有者暂停。',
    },
  },

  // Webhooks
  WEBHOOK_URL_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'A webhook needs an HTTPS address that is public and names no user or password.',
      'zh-CN': 'Webhook 地址必须是公网 HTTPS 地址，且不得包含用户名或密码。',
    },
  },
  WEBHOOK_SECRET_TOO_SHORT: {
    http: [422],
    retry: false,
    text: {
      en: 'The webhook secret is too short: at least {minimum} bytes are needed.',
      'zh-CN': 'Webhook 密钥过短，至少需要 {minimum} 字节。',
    },
  },

  // Conversations
  RELATION_INACTIVE: {
    http: [403],
    retry: false,
    text: {
      en: 'Nothing can be sent here: the relation with the agent is suspended or has ended.',
      'zh-CN': '无法发送：与该 Agent 的关系已暂停或已结束。',
    },
  },
  SENDER_MISMATCH: {
    http: [403],
    retry: false,
    text: {
      en: 'The header names a sender or a conversation that is not the one it was sent by or to.',
      'zh-CN': '消息头中的发送者或会话与实际不符。',
    },
  },
  MESSAGE_LABEL_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'This msg_subtype does not fit the content_type or the sender.',
      'zh-CN': 'msg_subtype 与 content_type 或发送者不符。',
    },
  },
  MESSAGE_TIME_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The time in created_at is more than a day ago, or ahead of the clock of the server, which shows {server_time}.',
      'zh-CN': 'created_at 早于一天之前，或晚于服务器时间 {server_time}。',
    },
  },
  CONTACT_REQUIRED: {
    http: [403],
    retry: false,
    text: {
      en: 'You have no contact with this id. Ask the person first; once they accept, you can write to each other.',
      'zh-CN': '你的联系人中没有此 ID。请先向对方发送联系人请求，对方接受后即可互相发消息。',
    },
  },
  INVITATION_REQUIRED: {
    http: [403],
    retry: false,
    text: {
      en: 'This person can only be invited: they are none of your contacts, or have left the group before.',
      'zh-CN': '只能邀请此人加入：对方不是你的联系人，或曾离开过该群。',
    },
  },
  ACCOUNT_BLOCKED: {
    http: [409],
    retry: false,
    text: {
      en: 'You have blocked this person. Unblock them first.',
      'zh-CN': '你已屏蔽此人，请先解除屏蔽。',
    },
  },
  GROUP_NOT_SUPPORTED: {
    http: [422],
    retry: false,
    text: { en: 'The agent {agent_id} does not take part in groups.', 'zh-CN': 'Agent {agent_id} 不支持群聊。' },
  },
  ALREADY_CLAIMED: {
    http: [409],
    retry: false,
    text: { en: 'Another device has claimed this: {device_id}.', 'zh-CN': '该消息已被另一台设备认领：{device_id}。' },
  },
  NOT_A_TOOL_CALL: {
    http: [422],
    retry: false,
    text: {
      en: 'This message is not a tool call, so it cannot be declined.',
      'zh-CN': '该消息不是工具调用，无法放弃处理。',
    },
  },
  PAGE_UNREACHABLE: {
    http: [502],
    retry: true,
    text: { en: 'The page cannot be fetched.', 'zh-CN': '无法获取该网页。' },
  },
  PAGE_TIMEOUT: {
    http: [504],
    retry: true,
    text: { en: 'The page did not answer in time.', 'zh-CN': '该网页未能及时响应。' },
  },

  // Tool calls: these travel inside sealed messages; the status is for bridges that speak plain HTTP
  TOOL_PLATFORM_ERROR: {
    http: [500],
    retry: false,
    text: { en: 'The device could not run the tool.', 'zh-CN': '设备运行该工具时出错。' },
  },
  TOOL_INVALID_ARGUMENTS: {
    http: [422],
    retry: false,
    text: {
      en: 'The arguments do not match the input schema of the tool {tool}.',
      'zh-CN': '参数不符合工具 {tool} 的输入 schema。',
    },
  },
  TOOL_UNAVAILABLE: {
    http: [501],
    retry: false,
    text: { en: 'This device does not offer the tool.', 'zh-CN': '当前设备不支持该工具。' },
  },

  // Bundles
  BUNDLE_INVALID: {
    http: [422],
    retry: false,
    text: { en: 'The bundle has errors: {error_count}.', 'zh-CN': '该 Bundle 存在错误：{error_count} 个。' },
  },
  PLAN_CHANGED: {
    http: [409],
    retry: false,
    text: {
      en: 'The plan is no longer the one you previewed. Preview it again.',
      'zh-CN': '执行计划与你预览时不同，请重新预览。',
    },
  },
  WORKSPACE_BUSY: {
    http: [409],
    retry: true,
    text: {
      en: 'Another process is changing this workspace. Try again when it has finished.',
      'zh-CN': '另一个进程正在修改该工作区，请等它完成后重试。',
    },
  },
  WORKSPACE_CONFLICT: {
    http: [409],
    retry: false,
    text: {
      en: 'The workspace stands in the way of this change; the list says what to move or rename.',
      'zh-CN': '工作区中有内容与此更改冲突，请按列表移动或重命名。',
    },
  },
  WORKSPACE_UNSAFE: {
    http: [409],
    retry: false,
    text: {
      en: 'The workspace has a link, a special file or a damaged record at {path}. Remove it, then try again.',
      'zh-CN': '工作区的 {path} 是链接、特殊文件或已损坏的记录，请移除后重试。',
    },
  },
  BUNDLE_NOT_INSTALLED: {
    http: [404],
    retry: false,
    text: {
      en: 'This bundle is not installed in the workspace.',
      'zh-CN': '该工作区没有安装该 Bundle。',
    },
  },
  ACTIVATION_SCOPE_UNAVAILABLE: {
    http: [422],
    retry: false,
    text: {
      en: 'No workspace is configured for the activation scope {scope}.',
      'zh-CN': '没有为激活范围 {scope} 配置工作区。',
    },
  },
  ASSERTION_FAILED: {
    http: [422],
    retry: false,
    text: {
      en: 'An assertion of the bundle is false. Nothing was changed.',
      'zh-CN': '该 Bundle 的断言不成立，未做任何更改。',
    },
  },
  DIGEST_MISMATCH: {
    http: [422],
    retry: false,
    text: {
      en: 'The content of kit {kit} is not what its digest says. Nothing was changed.',
      'zh-CN': '能力包 {kit} 的内容与其摘要不符，未做任何更改。',
    },
  },
  DIGEST_TOO_SHORT: {
    http: [422],
    retry: false,
    text: {
      en: 'The digest of kit {kit} is shortened. Allow short digests explicitly, or lock all 64 digits.',
      'zh-CN': '能力包 {kit} 的摘要被截短，请明确允许短摘要，或锁定完整的 64 位摘要。',
    },
  },
  MIRROR_UNAVAILABLE: {
    http: [502],
    retry: true,
    text: {
      en: 'The mirror of a kit cannot be reached. Try again later.',
      'zh-CN': '无法连接能力包的镜像，请稍后重试。',
    },
  },
  MIRROR_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The mirror of kit {kit} cannot be used: {reason}.',
      'zh-CN': '能力包 {kit} 的镜像不可用：{reason}。',
    },
  },
  SKILL_FOLDER_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'This folder is not a skill: {reason}.',
      'zh-CN': '该文件夹不是有效的技能：{reason}。',
    },
  },

  // Skills (SI-4)
  NAMESPACE_TAKEN: {
    http: [409],
    retry: false,
    text: {
      en: 'This namespace, or one around or inside it, belongs to someone else. Choose another.',
      'zh-CN': '该命名空间（或其上级、下级）已属于他人，请另选一个。',
    },
  },
  VERSION_EXISTS: {
    http: [409],
    retry: false,
    text: {
      en: 'Version {version} is already published and never changes. Publish under a new version.',
      'zh-CN': '版本 {version} 已发布且不可更改，请使用新的版本号发布。',
    },
  },
  VERSION_BUMP_NEEDED: {
    http: [422],
    retry: false,
    text: {
      en: 'This breaks what callers of {previous} rely on, so it needs a new major version.',
      'zh-CN': '此更改会破坏 {previous} 调用方所依赖的内容，因此需要新的主版本号。',
    },
  },
  VALIDATION_ERROR: {
    http: [422],
    retry: false,
    text: {
      en: 'Violations found: {violation_count}.',
      'zh-CN': '发现不符合要求的内容：{violation_count} 处。',
    },
  },
  AUTH_REQUIRED: {
    http: [401],
    retry: false,
    text: { en: 'The skill needs credentials.', 'zh-CN': '调用该技能需要凭证。' },
  },
  PERMISSION_DENIED: {
    http: [403],
    retry: false,
    text: { en: 'These credentials may not use the skill.', 'zh-CN': '当前凭证无权使用该技能。' },
  },
  SKILL_NOT_FOUND: {
    http: [404],
    retry: false,
    text: { en: 'There is no such skill.', 'zh-CN': '没有这个技能。' },
  },
  EXECUTION_TIMEOUT: {
    http: [408, 504],
    retry: false,
    text: { en: 'The skill did not finish in time.', 'zh-CN': '技能未能在规定时间内完成。' },
  },
  ENDPOINT_UNREACHABLE: {
    http: [502, 503],
    retry: true,
    text: { en: 'The endpoint of the skill cannot be reached.', 'zh-CN': '无法连接该技能的端点。' },
  },
  VERSION_INCOMPATIBLE: {
    http: [422],
    retry: false,
    text: {
      en: 'The descriptor follows protocol {descriptor_version}; supported is {consumer_supported_range}.',
      'zh-CN': '描述符的协议版本为 {descriptor_version}，支持的范围是 {consumer_supported_range}。',
    },
  },
  EXECUTION_FAILED: {
    http: [500],
    retry: false,
    text: { en: 'The skill failed.', 'zh-CN': '技能执行失败。' },
  },
  EXECUTION_CANCELLED: {
    http: [409],
    retry: false,
    text: { en: 'The execution was cancelled.', 'zh-CN': '该次执行已被取消。' },
  },
  OUTPUT_INVALID: {
    http: [502],
    retry: false,
    text: {
      en: 'The skill answered with output that breaks its own schema.',
      'zh-CN': '技能的输出不符合其自身的 schema。',
    },
  },
  ADDRESS_BLOCKED: {
    http: [403],
    retry: false,
    text: {
      en: 'Requests to this network address are not allowed.',
      'zh-CN': '不允许向该网络地址发送请求。',
    },
  },
} as const satisfies Record<string, WireErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** Is it an error whose code may travel? */
export const isWireError = (error: unknown): error is ParleyError<ErrorCode> =>
  isParleyError(error) && Object.hasOwn(ERRORS, error.code);

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];
