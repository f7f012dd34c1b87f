import { CODES, error, warning } from '../codes.ts';

/** Every code a bundle finding can have (9.2). `CODE.reason` is the text of that code for one `params.reason`. */
export const BUNDLE_CODES = {
  ...CODES,
  LIST_EMPTY: error('"{field}" must have at least one entry.', '“{field}”至少要有一项。'),
  LIST_TOO_LONG: error(
    '"{field}" has more than {limit} entries; the rest was not read.',
    '“{field}”超过 {limit} 项，其余未读取。',
  ),
  VALUE_NOT_ALLOWED: error('"{value}" is not one of: {allowed}.', '“{value}”不在允许的取值之内：{allowed}。'),
  NUMBER_TOO_SMALL: error('The number must not be below {limit}.', '数值不能小于 {limit}。'),
  NUMBER_NOT_POSITIVE: error('The number must be above 0.', '数值必须大于 0。'),
  RKT_VERSION_INVALID: error(
    'rktVersion must be Major.Minor, such as "1.0".',
    '“rktVersion”须为“主版本.次版本”，例如“1.0”。',
  ),
  RKT_MAJOR_UNSUPPORTED: error(
    'Bundles of RKT {version} cannot be read here; major version {supported} can.',
    '此处无法读取 RKT {version} 的套件，只支持主版本 {supported}。',
  ),
  RKT_MIGRATED: warning(
    'The bundle was brought from RKT {version} to {supported}.',
    '已将套件从 RKT {version} 迁移到 {supported}。',
  ),
  RKT_MINOR_NEWER: warning(
    'RKT {version} is newer than {supported}; fields that are new in it are ignored.',
    'RKT {version} 比 {supported} 新，其中新增的字段将被忽略。',
  ),
  ID_INVALID: error(
    'The id "{id}" must be kebab-case, at most {max} characters: lower-case letters and digits with single hyphens between.',
    'id“{id}”须为“kebab-case”形式，最多 {max} 个字符：小写字母和数字，以单个连字符分隔。',
  ),
  VERSION_INVALID: error(
    'This is not a SemVer 2.0.0 version such as "1.0.0".',
    '此处不是 SemVer 2.0.0 版本号，例如“1.0.0”。',
  ),
  TIME_INVALID: error(
    'This is not an ISO 8601 time such as "2026-03-25T00:00:00Z".',
    '此处不是 ISO 8601 时间，例如“2026-03-25T00:00:00Z”。',
  ),
  ID_DUPLICATE: error('The id "{id}" is already used at {first}.', 'id“{id}”已在 {first} 处使用。'),
  EDGE_END_UNKNOWN: error('No role or kit has the id "{id}".', '没有 id 为“{id}”的角色或能力包。'),
  EDGE_TYPE_MISSING: warning(
    'This handoff has no type; it is taken for "{assumed}".',
    '此交接没有“type”，将按“{assumed}”处理。',
  ),
  MEMBER_UNKNOWN: error('No role has the id "{id}".', '没有 id 为“{id}”的角色。'),
  MEMBER_UNREACHABLE: warning(
    'No handoff leads from the entry role "{entry}" to the member "{id}".',
    '没有任何交接能从入口角色“{entry}”到达成员“{id}”。',
  ),
  ENTRY_NOT_MEMBER: error('The entry role "{id}" is not a member of the team.', '入口角色“{id}”不是该团队的成员。'),
  ENTRY_CONTRADICTION: error(
    'More than one role is named as the entry: {ids}. Leave one.',
    '指定了多个入口角色：{ids}。请只保留一个。',
  ),
  ENTRY_ASSUMED: warning(
    'No entry role is named; the first one, "{id}", is taken. Set isEntry or entryRoleId.',
    '没有指定入口角色，将使用第一个角色“{id}”。请设置“isEntry”或“entryRoleId”。',
  ),
  CONDITION_MISSING: error(
    'A conditional handoff needs a condition, in CEL over output, task and state.',
    '“conditional”类型的交接需要“condition”（关于“output”、“task”、“state”的 CEL 表达式）。',
  ),
  CONDITION_IGNORED: warning(
    'Only conditional handoffs have a condition; this one is ignored.',
    '只有“conditional”类型的交接才使用“condition”，此处将被忽略。',
  ),
  'EXPRESSION_INVALID.too_long': error(
    'The expression is too long; at most {detail} is read.',
    '表达式过长，最多 {detail}。',
  ),
  'EXPRESSION_INVALID.too_many': error(
    'All expressions of the bundle together are longer than {detail} characters; the rest was not read.',
    '套件中所有表达式合计超过 {detail} 个字符，其余未读取。',
  ),
  'EXPRESSION_INVALID.syntax': error('This is not CEL: {detail}.', '此处不是合法的 CEL 表达式：{detail}。'),
  'EXPRESSION_INVALID.unknown_name': error(
    'The expression speaks of "{detail}", which does not exist here.',
    '表达式提到了此处不存在的“{detail}”。',
  ),
  'EXPRESSION_INVALID.unknown_function': error(
    'The expression calls "{detail}", which is no function of CEL.',
    '表达式调用了“{detail}”，CEL 中没有这个函数。',
  ),
  'EXPRESSION_INVALID.unsupported': error(
    'Expressions cannot make messages such as "{detail}" here.',
    '此处的表达式不能构造“{detail}”之类的消息。',
  ),
  'EXPRESSION_INVALID.not_boolean': error(
    'The expression must give true or false.',
    '表达式的结果必须是 true 或 false。',
  ),
  KIT_ATTACH_INVALID: error('kit-attach must join a kit and a role.', '“kit-attach”必须连接一个能力包和一个角色。'),
  TEAM_MISSING: error('mode is "team", but there is no team.', '“mode”为“team”，但没有任何团队。'),
  'TOPOLOGY_MISMATCH.single': warning(
    'The topology is "single", but more than one role takes part.',
    '“topology”为“single”，但参与的角色不止一个。',
  ),
  'TOPOLOGY_MISMATCH.pipeline': warning(
    'The topology is "pipeline", but the handoffs do not form one line through all members.',
    '“topology”为“pipeline”，但交接没有构成贯穿所有成员的一条线。',
  ),
  'TOPOLOGY_MISMATCH.hierarchical': warning(
    'The topology is "hierarchical", but the handoffs do not form a tree below the entry role.',
    '“topology”为“hierarchical”，但交接没有构成以入口角色为根的树。',
  ),
  'TOPOLOGY_MISMATCH.parallel': warning(
    'The topology is "parallel", but no role hands over to two others.',
    '“topology”为“parallel”，但没有角色同时交接给两个成员。',
  ),
  'TOPOLOGY_MISMATCH.mesh': warning(
    'The topology is "mesh", but some member has no handoff at all.',
    '“topology”为“mesh”，但有成员没有任何交接。',
  ),
  KIT_UNKNOWN: error('No kit has the id "{id}".', '没有 id 为“{id}”的能力包。'),
  DEPENDENCY_CYCLE: error('These kits need one another in a circle: {ids}.', '这些能力包循环依赖：{ids}。'),
  DIGEST_INVALID: error(
    'The digest must be "sha256:" and 8 to 64 lower-case hexadecimal digits.',
    '“digest”须为“sha256:”加 8 到 64 位小写十六进制数字。',
  ),
  DIGEST_SHORT: warning(
    'The digest has {digits} of 64 digits: enough to validate, not to install without saying so.',
    '“digest”只有 {digits} 位（完整为 64 位）：可以通过验证，但不经明确许可不能安装。',
  ),
  DIGEST_MISMATCH: error(
    'The content of the kit "{id}" has the digest {actualDigest}, not the one that is locked.',
    '能力包“{id}”的内容摘要为 {actualDigest}，与锁定的不符。',
  ),
  REFERENCE_INVALID: error(
    'clawHubRef must be slug@version with an exact version, such as "weather@1.2.0".',
    '“clawHubRef”须为“slug@版本”，且版本必须精确，例如“weather@1.2.0”。',
  ),
  CRITICAL_WITHOUT_PERMISSIONS: error(
    'The kit "{id}" is critical and must list its permissions.',
    '能力包“{id}”风险为“critical”，必须列出“permissions”。',
  ),
  CRITICAL_WITHOUT_ESCALATION: error(
    'The kit "{id}" is critical; a team that uses it must have humanEscalation enabled.',
    '能力包“{id}”风险为“critical”，使用它的团队必须启用“humanEscalation”。',
  ),
  'PATH_UNSAFE.empty': error('The path is empty.', '路径为空。'),
  'PATH_UNSAFE.too_long': error('The path is too long.', '路径过长。'),
  'PATH_UNSAFE.control_character': error('The path or target has a hidden character.', '路径或目标中有不可见字符。'),
  'PATH_UNSAFE.backslash': error('The path has a backslash; write "/".', '路径中有反斜杠，请使用“/”。'),
  'PATH_UNSAFE.absolute': error(
    'The path must not start at the root or at a home folder.',
    '路径不能从根目录或用户主目录开始。',
  ),
  'PATH_UNSAFE.drive': error(
    'The path must not name a drive, a scheme or a stream.',
    '路径不能包含盘符、协议或数据流。',
  ),
  'PATH_UNSAFE.traversal': error('The path must not have "..".', '路径中不能有“..”。'),
  'PATH_UNSAFE.encoded': error('The path has percent-encoded dots or slashes.', '路径中有百分号编码的点或斜杠。'),
  'PATH_UNSAFE.trailing': error('A part of the path ends with a dot or a space.', '路径的某一段以点或空格结尾。'),
  'PATH_UNSAFE.reserved': error('A part of the path is a device name on Windows.', '路径的某一段是 Windows 的设备名。'),
  KIT_RISKY: warning('The risk of the kit "{id}" is {risk}.', '能力包“{id}”的风险为 {risk}。'),
  PERMISSION_TYPE_UNKNOWN: warning(
    'The permission type "{value}" is not known; known are: {allowed}.',
    '未知的权限类型“{value}”，已知的有：{allowed}。',
  ),
  PERMISSION_MODE_UNKNOWN: warning(
    'The permission mode "{value}" is not known; known are: {allowed}.',
    '未知的权限模式“{value}”，已知的有：{allowed}。',
  ),
  RISK_UNDERSTATED: warning(
    'The kit "{id}" counts as {declared}, but its permissions mean {implied}.',
    '能力包“{id}”的风险按 {declared} 计，但其权限意味着 {implied}。',
  ),
  TARGET_WILDCARD: warning('The target "{target}" is a wildcard.', '目标“{target}”含通配符。'),
  AUTO_UPDATE: warning(
    'autoUpdate is true; content is locked by its digest and never changed in place.',
    '“autoUpdate”为 true；内容由“digest”锁定，绝不会热更新。',
  ),
  PLAN_PATH_UNSAFE: error('The plan writes to "{target}", which is not safe.', '计划写入不安全的路径“{target}”。'),
  PLAN_COLLISION: error(
    'The plan writes "{target}" and "{other}", which are the same file on some systems.',
    '计划同时写入“{target}”和“{other}”，在某些系统上它们是同一个文件。',
  ),
  SNAPSHOT_DISABLED: warning(
    'snapshotEnabled is false: what the activation replaces cannot be restored from a snapshot.',
    '“snapshotEnabled”为 false：激活所替换的内容无法从快照恢复。',
  ),
  RUNTIME_MISSING: warning(
    'The kit "{id}" needs {runtime}, which was not found on this machine.',
    '能力包“{id}”需要 {runtime}，但本机未找到。',
  ),
  SUMMARY_LONG: warning(
    'The summary has {length} characters; more than {limit} are hard to read at a glance.',
    '“summary”共 {length} 个字符；超过 {limit} 个就难以一眼读完。',
  ),
  DESCRIPTION_UNREADABLE: warning(
    'The description has nothing that a person could read. Write one, or leave it out.',
    '“description”中没有可读的内容。请补充说明，或删去该字段。',
  ),
  AUTHOR_MISSING: warning('There is no author.', '没有“author”。'),
  ROLE_UNREADABLE: warning(
    'The role "{id}" has neither a purpose nor a description that a person could read.',
    '角色“{id}”没有可读的“purpose”或“description”。',
  ),
} as const;
