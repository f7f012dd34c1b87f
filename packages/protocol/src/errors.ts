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
    text: { en: 'The request isn’t valid. Check it and try again.', 'zh-CN': '请求无效，请检查后重试。' },
  },
  UNAUTHENTICATED: {
    http: [401],
    retry: false,
    text: {
      en: 'Sign in first. The token is missing, wrong or expired.',
      'zh-CN': '请先登录：令牌缺失、错误或已过期。',
    },
  },
  FORBIDDEN: {
    http: [403],
    retry: false,
    text: { en: 'You aren’t allowed to do this.', 'zh-CN': '您无权执行此操作。' },
  },
  OWN_ACCOUNT: {
    http: [403],
    retry: false,
    text: {
      en: 'Operators can’t do this to their own account. Ask another operator.',
      'zh-CN': '运营者不能对自己的账户执行此操作，请让另一位运营者来做。',
    },
  },
  NOT_FOUND: {
    http: [404],
    retry: false,
    text: { en: 'There’s nothing at this address.', 'zh-CN': '此地址没有内容。' },
  },
  IDEMPOTENCY_CONFLICT: {
    http: [409],
    retry: false,
    text: {
      en: 'This request has the idempotency key of another one. Use a new key.',
      'zh-CN': '此请求的幂等键已用于另一个请求，请换用新的键。',
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
      en: 'Your account has reached a limit of this server ({budget}: {used} of {limit}). Delete what you no longer need, or ask the operator for more.',
      'zh-CN':
        '您的账户已达到此服务器的上限（{budget}：已用 {used}，上限 {limit}）。请删除不再需要的内容，或请运营者提高上限。',
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
    text: {
      en: 'The service isn’t available right now. Try again in a moment.',
      'zh-CN': '服务暂时不可用，请稍后重试。',
    },
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
      en: 'This server doesn’t accept new accounts. Ask its operator.',
      'zh-CN': '此服务器不接受新账户，请联系运营者。',
    },
  },
  INVITATION_INVALID: {
    http: [403],
    retry: false,
    text: {
      en: 'You need an invitation to create an account here. Yours is missing, used up or expired. Ask for a new one.',
      'zh-CN': '在此创建账户需要邀请。您的邀请缺失、已用完或已过期，请索取新的邀请。',
    },
  },
  RESET_CODE_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'This link for a new password was already used or has expired. Ask for a new one.',
      'zh-CN': '此重置密码链接已被使用或已过期，请重新获取。',
    },
  },
  EMAIL_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'This isn’t an e-mail address.',
      'zh-CN': '这不是有效的邮箱地址。',
    },
  },
  EMAIL_TAKEN: {
    http: [409],
    retry: false,
    text: {
      en: 'There’s already an account with this e-mail address. Sign in instead.',
      'zh-CN': '该邮箱地址已有账户，请直接登录。',
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
      en: 'This refresh token was replaced a moment ago. Use the new one.',
      'zh-CN': '此刷新令牌刚刚已更换，请使用新的令牌。',
    },
  },
  PASSKEY_REFUSED: {
    http: [401],
    retry: false,
    text: {
      en: 'The passkey wasn’t accepted. Try again, or use your password.',
      'zh-CN': '通行密钥未通过验证。请重试，或使用密码。',
    },
  },
  AUTHORIZATION_PENDING: {
    http: [400],
    retry: true,
    text: {
      en: 'Nobody has answered this device’s request yet.',
      'zh-CN': '该设备的登录请求尚未得到确认。',
    },
  },
  SLOW_DOWN: {
    http: [400],
    retry: true,
    text: {
      en: 'These requests come too often. Wait {interval} seconds between two of them.',
      'zh-CN': '请求过于密集，两次请求之间请间隔 {interval} 秒。',
    },
  },
  EXPIRED_TOKEN: {
    http: [400],
    retry: false,
    text: {
      en: 'This device’s code has expired. Start again.',
      'zh-CN': '设备代码已过期，请重新开始。',
    },
  },
  ACCESS_DENIED: {
    http: [400],
    retry: false,
    text: {
      en: 'This device’s request was denied.',
      'zh-CN': '该设备的登录请求已被拒绝。',
    },
  },
  SIGNATURE_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The signature at {path} doesn’t match what it signs.',
      'zh-CN': '{path} 处的签名与所签内容不符。',
    },
  },
  STATEMENT_CONFLICT: {
    http: [409],
    retry: false,
    text: {
      en: 'There’s a newer signed statement. Load it, then sign again on top of it.',
      'zh-CN': '已有更新的签名声明，请先载入，再基于它重新签名。',
    },
  },
  STATEMENT_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The signed statement doesn’t match this request: {problem}.',
      'zh-CN': '已签名的声明与本次请求不符：{problem}。',
    },
  },
  ID_TAKEN: {
    http: [409],
    retry: false,
    text: { en: 'This ID is already taken. Use another one.', 'zh-CN': '此 ID 已被占用，请另行生成。' },
  },
  DEVICE_REVOKED: {
    http: [409, 401],
    retry: false,
    text: {
      en: 'This device was removed from the account. Create new keys to add it again.',
      'zh-CN': '此设备已从账户中移除。请生成新的密钥，再重新添加。',
    },
  },
  LIMIT_REACHED: {
    http: [409],
    retry: false,
    text: {
      en: 'There are already {limit} of these. Remove one first.',
      'zh-CN': '数量已达上限 {limit}，请先移除一个。',
    },
  },
  IDENTITY_MISSING: {
    http: [409],
    retry: false,
    text: {
      en: 'Register this device’s or agent’s identity keys first.',
      'zh-CN': '请先注册该设备或 Agent 的身份密钥。',
    },
  },

  // Capability manifests and grants
  MANIFEST_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The capability manifest has errors ({error_count}). Fix them and try again.',
      'zh-CN': '能力清单有 {error_count} 处错误，请修正后重试。',
    },
  },
  MANIFEST_SCHEMA_VERSION_UNSUPPORTED: {
    http: [422],
    retry: false,
    text: {
      en: 'This version of the manifest format isn’t supported. Supported: {supported}.',
      'zh-CN': '不支持此版本的能力清单格式。支持的版本：{supported}。',
    },
  },
  MANIFEST_TOO_LARGE: {
    http: [413],
    retry: false,
    text: {
      en: 'The capability manifest has {bytes} bytes in canonical form. At most {limit} are allowed.',
      'zh-CN': '能力清单的规范形式为 {bytes} 字节，上限为 {limit} 字节。',
    },
  },
  MANIFEST_CHANGED: {
    http: [409],
    retry: false,
    text: {
      en: 'The agent changed what it can do while you were reading. Review it again before you agree.',
      'zh-CN': '在您阅读期间，此 Agent 能做的事有变化。请重新查看后再同意。',
    },
  },
  SCHEMA_UNSAFE: {
    http: [422],
    retry: false,
    text: {
      en: 'The input schema uses something that isn’t allowed, at {path}.',
      'zh-CN': '输入参数的 Schema 在 {path} 处使用了不允许的内容。',
    },
  },
  SCOPE_RESERVED: {
    http: [422],
    retry: false,
    text: {
      en: 'The permission {id} belongs to the platform and can’t be declared.',
      'zh-CN': '权限 {id} 由平台保留，不能自行声明。',
    },
  },
  SCOPE_UNKNOWN: {
    http: [422],
    retry: false,
    text: {
      en: 'The capability manifest doesn’t declare the permission {scope}.',
      'zh-CN': '能力清单中没有声明权限 {scope}。',
    },
  },
  SCOPE_REQUIRED: {
    http: [422],
    retry: false,
    text: {
      en: 'The agent can’t work without these permissions: {scopes}.',
      'zh-CN': '缺少以下权限时，此 Agent 无法工作：{scopes}。',
    },
  },
  RELATION_EXISTS: {
    http: [409],
    retry: false,
    text: { en: 'You’ve already added this agent.', 'zh-CN': '您已添加该 Agent。' },
  },
  RELATION_ENDED: {
    http: [409],
    retry: false,
    text: {
      en: 'This agent is no longer added. Add it again to use it.',
      'zh-CN': '此 Agent 已不在您的列表中，如需使用请重新添加。',
    },
  },
  LEDGER_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The signed permissions don’t match this request: {problem}.',
      'zh-CN': '已签名的授权与本次请求不符：{problem}。',
    },
  },
  LEDGER_CONFLICT: {
    http: [409],
    retry: false,
    text: {
      en: 'These permissions were changed in the meantime. Load them, then sign again.',
      'zh-CN': '这些授权已有更改，请载入最新内容后重新签名。',
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
      en: 'A webhook needs a public https:// address without user name or password.',
      'zh-CN': 'Webhook 需要以 https:// 开头的公网地址，且不含用户名或密码。',
    },
  },
  WEBHOOK_SECRET_TOO_SHORT: {
    http: [422],
    retry: false,
    text: {
      en: 'The webhook secret is too short. It needs at least {minimum} bytes.',
      'zh-CN': 'Webhook 密钥过短，至少需要 {minimum} 字节。',
    },
  },

  // Conversations
  RELATION_INACTIVE: {
    http: [403],
    retry: false,
    text: {
      en: 'Nothing can be sent here: the agent is suspended or was removed.',
      'zh-CN': '无法发送：此 Agent 已暂停或已移除。',
    },
  },
  SENDER_MISMATCH: {
    http: [403],
    retry: false,
    text: {
      en: 'The message names another sender or conversation than the real one.',
      'zh-CN': '消息中的发送者或会话与实际不符。',
    },
  },
  MESSAGE_LABEL_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The label of this message doesn’t fit its content or its sender.',
      'zh-CN': '消息的标签与内容或发送者不符。',
    },
  },
  MESSAGE_TIME_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'This message is dated more than a day ago, or in the future. The server’s clock says {server_time}. Check the date of your device.',
      'zh-CN': '消息的时间早于一天之前，或晚于当前时间。服务器时间为 {server_time}，请检查设备的日期。',
    },
  },
  CONTACT_REQUIRED: {
    http: [403],
    retry: false,
    text: {
      en: 'This person isn’t one of your contacts. Send them a request first. Once they accept, you can write to each other.',
      'zh-CN': '对方不是您的联系人。请先发送请求，对方接受后即可互相发消息。',
    },
  },
  INVITATION_REQUIRED: {
    http: [403],
    retry: false,
    text: {
      en: 'This person can only be invited: they aren’t one of your contacts, or they left the group before.',
      'zh-CN': '只能邀请对方加入：对方不是您的联系人，或曾退出该群。',
    },
  },
  ACCOUNT_BLOCKED: {
    http: [409],
    retry: false,
    text: {
      en: 'You’ve blocked this person. Unblock them first.',
      'zh-CN': '您已屏蔽对方，请先解除屏蔽。',
    },
  },
  GROUP_NOT_SUPPORTED: {
    http: [422],
    retry: false,
    text: { en: 'The agent {agent_id} doesn’t support groups.', 'zh-CN': 'Agent {agent_id} 不支持群聊。' },
  },
  ALREADY_CLAIMED: {
    http: [409],
    retry: false,
    text: { en: 'Another device is already handling this: {device_id}.', 'zh-CN': '另一台设备已在处理：{device_id}。' },
  },
  NOT_A_TOOL_CALL: {
    http: [422],
    retry: false,
    text: {
      en: 'This message isn’t a tool call, so it can’t be declined.',
      'zh-CN': '此消息不是工具调用，无法放弃处理。',
    },
  },
  PAGE_UNREACHABLE: {
    http: [502],
    retry: true,
    text: {
      en: 'The page can’t be loaded. Check the address and try again.',
      'zh-CN': '无法打开该网页。请检查网址后重试。',
    },
  },
  PAGE_TIMEOUT: {
    http: [504],
    retry: true,
    text: { en: 'The page didn’t answer in time. Try again later.', 'zh-CN': '该网页没有及时响应，请稍后重试。' },
  },

  // Tool calls: these travel inside sealed messages; the status is for bridges that speak plain HTTP
  TOOL_PLATFORM_ERROR: {
    http: [500],
    retry: false,
    text: { en: 'The device couldn’t run the tool.', 'zh-CN': '设备无法运行此工具。' },
  },
  TOOL_INVALID_ARGUMENTS: {
    http: [422],
    retry: false,
    text: {
      en: 'The values don’t match what the tool {tool} accepts.',
      'zh-CN': '参数不符合工具 {tool} 的要求。',
    },
  },
  TOOL_UNAVAILABLE: {
    http: [501],
    retry: false,
    text: { en: 'This device doesn’t have this tool.', 'zh-CN': '此设备没有此工具。' },
  },

  // Bundles
  BUNDLE_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The bundle has errors ({error_count}). Fix them and try again.',
      'zh-CN': '套件有 {error_count} 处错误，请修正后重试。',
    },
  },
  PLAN_CHANGED: {
    http: [409],
    retry: false,
    text: {
      en: 'The plan has changed since you previewed it. Preview it again.',
      'zh-CN': '计划在您预览后有变化，请重新预览。',
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
      en: 'Something in the workspace is in the way of this change. The list says what to move or rename.',
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
      en: 'This bundle isn’t installed in the workspace.',
      'zh-CN': '工作区中没有安装此套件。',
    },
  },
  REMOVAL_IS_MANUAL: {
    http: [409],
    retry: false,
    text: {
      en: 'This bundle asks you to remove its files by hand. Nothing was changed. Agree to the removal, or follow the list.',
      'zh-CN': '此套件要求手动移除其文件，没有做任何更改。请同意移除，或按列表操作。',
    },
  },
  ACTIVATION_SCOPE_UNAVAILABLE: {
    http: [422],
    retry: false,
    text: {
      en: 'No workspace is set up for the activation “{scope}”.',
      'zh-CN': '没有为激活范围“{scope}”设置工作区。',
    },
  },
  ASSERTION_FAILED: {
    http: [422],
    retry: false,
    text: {
      en: 'An assertion of the bundle is false. Nothing was changed.',
      'zh-CN': '套件的一项断言不成立，没有做任何更改。',
    },
  },
  DIGEST_MISMATCH: {
    http: [422],
    retry: false,
    text: {
      en: 'The content of kit {kit} doesn’t match its digest. Nothing was changed.',
      'zh-CN': '能力包 {kit} 的内容与其摘要不符，没有做任何更改。',
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
      en: 'Can’t reach the mirror of a kit. Try again later.',
      'zh-CN': '无法连接能力包的镜像，请稍后重试。',
    },
  },
  MIRROR_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'The mirror of kit {kit} can’t be used: {reason}.',
      'zh-CN': '能力包 {kit} 的镜像不可用：{reason}。',
    },
  },
  SKILL_FOLDER_INVALID: {
    http: [422],
    retry: false,
    text: {
      en: 'This folder isn’t a skill: {reason}.',
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
      'zh-CN': '此更改会破坏 {previous} 调用者所依赖的内容，因此需要新的主版本号。',
    },
  },
  VALIDATION_ERROR: {
    http: [422],
    retry: false,
    text: {
      en: 'The values have problems ({violation_count}). Fix them and try again.',
      'zh-CN': '有 {violation_count} 处内容不符合要求，请修正后重试。',
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
    text: { en: 'These credentials don’t allow using this skill.', 'zh-CN': '这些凭证无权使用此技能。' },
  },
  SKILL_NOT_FOUND: {
    http: [404],
    retry: false,
    text: { en: 'This skill doesn’t exist.', 'zh-CN': '此技能不存在。' },
  },
  EXECUTION_TIMEOUT: {
    http: [408, 504],
    retry: false,
    text: { en: 'The skill didn’t finish in time.', 'zh-CN': '技能未能在规定时间内完成。' },
  },
  ENDPOINT_UNREACHABLE: {
    http: [502, 503],
    retry: true,
    text: { en: 'Can’t reach the skill. Try again later.', 'zh-CN': '无法连接此技能，请稍后重试。' },
  },
  VERSION_INCOMPATIBLE: {
    http: [422],
    retry: false,
    text: {
      en: 'The descriptor uses protocol {descriptor_version}. Supported: {consumer_supported_range}.',
      'zh-CN': '描述符的协议版本为 {descriptor_version}，支持的版本：{consumer_supported_range}。',
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
      en: 'The skill’s output doesn’t match its own schema.',
      'zh-CN': '技能的输出不符合它自己的 Schema。',
    },
  },
  ADDRESS_BLOCKED: {
    http: [403],
    retry: false,
    text: {
      en: 'Requests to this network address aren’t allowed.',
      'zh-CN': '不允许向该网络地址发送请求。',
    },
  },
} as const satisfies Record<string, WireErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** Is it an error whose code may travel? */
export const isWireError = (error: unknown): error is ParleyError<ErrorCode> =>
  isParleyError(error) && Object.hasOwn(ERRORS, error.code);

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];
