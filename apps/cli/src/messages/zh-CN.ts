import { accountZhCN } from './account.zh-CN.ts';
import { adminZhCN } from './admin.zh-CN.ts';
import { bundleZhCN } from './bundle.zh-CN.ts';
import { chatZhCN } from './chat.zh-CN.ts';
import { contactsZhCN } from './contacts.zh-CN.ts';
import { deviceZhCN } from './device.zh-CN.ts';
import { deviceHelpZhCN } from './device-help.zh-CN.ts';
import type { en } from './en.ts';
import { skillZhCN } from './skill.zh-CN.ts';

export const zhCN: Readonly<Record<keyof typeof en, string>> = {
  ...accountZhCN,
  ...adminZhCN,
  ...bundleZhCN,
  ...contactsZhCN,
  ...deviceZhCN,
  ...deviceHelpZhCN,
  ...chatZhCN,
  ...skillZhCN,
  'help.title.usage': '用法：',
  'help.title.arguments': '参数：',
  'help.title.options': '选项：',
  'help.title.global_options': '所有命令通用：',
  'help.title.commands': '命令：',

  'help.parley': '与 AI Agent 对话，决定它们可以做什么，并检查您的 Agent 的声明。',
  'help.parley.more': `从这里开始：
  parley tour                                 一分钟导览
  parley examples                             可供尝试的文件
  parley start                                运行您自己的服务器
  parley login                                登录，成为一台设备
  parley chat                                 与 Agent 对话
  parley manifest init                        编写第一份能力清单
  parley manifest validate manifest.json      写得对吗？
  parley manifest diff old.json new.json      用户需要重新授权吗？

退出码：0 正常，1 文档有误（或变化不兼容），2 用法错误，
3 环境问题（文件不存在、无法读取）。`,
  'help.manifest': '编写、检查、比较和预览能力清单',
  'help.manifest.more': `能力清单是一个 JSON 文件：Agent 在其中声明会请求用户设备运行哪些工具，
以及这些工具需要哪些权限。

示例：
  parley manifest validate *.json
  git show main:manifest.json | parley manifest diff - manifest.json
  parley manifest preview manifest.json --locale zh-CN`,
  'help.init': '编写一份新能力清单',
  'help.init.more': `在终端中会询问几个问题；使用 --yes、--json 或不在终端中时，
直接写出一份可供修改的初稿。除非使用 --force，否则保留已有文件。

示例：
  parley manifest init
  parley manifest init agents/demo.json --yes
  parley manifest init - > manifest.json      写到标准输出

退出码：0 已写入，1 被拒绝，2 用法错误，3 无法写入文件。
--json 输出 { file, hash }。`,
  'help.validate': '检查能力清单，一次列出所有问题',
  'help.validate.more': `问题以“文件:行:列”的形式列出，并附可查询的代码。警告不会使能力清单无效。

示例：
  parley manifest validate manifest.json
  parley manifest validate agents/*.json --json
  cat manifest.json | parley manifest validate

退出码：0 全部有效，1 至少一份无效，2 用法错误，3 有文件无法读取。
--json 输出 { valid, findings: [{ code, severity, path, message, params }] }，
多个文件时输出 { valid, files: [{ file, valid, findings, error? }] }。`,
  'help.diff': '比较两个版本，判断用户是否需要重新授权',
  'help.diff.more': `策略：spec 是服务器执行的规则。使用 guide 时，input_schema 的任何修改以及
任何删除都视为不兼容，但新增权限不算。

示例：
  parley manifest diff old.json new.json
  git show main:manifest.json | parley manifest diff - manifest.json
  parley manifest diff old.json new.json --policy guide --json

退出码：0 兼容，1 不兼容或能力清单无效，2 用法错误，3 有文件无法读取。
--no-fail 使不兼容时也以 0 退出。
--json 输出 { breaking, policy, old_hash, new_hash, scopes_requiring_reauth,
changes: [{ code, path, tool?, scope?, breaking, consent, message, witness? }] }`,
  'help.hash': '输出标识能力清单的哈希值',
  'help.hash.more': `对规范形式（RFC 8785）计算 SHA-256：空白和键的顺序不影响结果。

示例：
  parley manifest hash manifest.json
  parley manifest hash agents/*.json          每行一个“哈希  文件”

退出码：0 正常，1 有能力清单无效，2 用法错误，3 有文件无法读取。
--json 输出 { hash }，多个文件时输出 { files: [{ file, hash }] }。`,
  'help.preview': '显示用户将看到的授权页面',
  'help.preview.more': `示例：
  parley manifest preview manifest.json
  parley manifest preview manifest.json --locale zh-CN

退出码：0 正常，1 有能力清单无效，2 用法错误，3 有文件无法读取。
--json 以数据形式输出页面，多个文件时输出 { files: [{ file, … }] }。`,
  'help.start': '在后台启动服务器',
  'help.start.more': `等到服务器可用后输出其地址。它自带数据库，所有数据位于
~/.parley/server（PARLEY_DATA_DIR）；也可以使用您自己的数据库（DATABASE_URL）。
端口为 8484，可用 PARLEY_PORT 更改。
在代码仓库的克隆中，所有数据位于其中的 .parley 目录。

示例：
  parley start
  parley start --foreground                   运行到按下 Ctrl-C 为止

退出码：0 正在运行，2 用法错误，3 无法在此运行。
--json 输出 { url, pid, already_running }。`,
  'help.stop': '等服务器完成手头的工作后停止它',
  'help.stop.more': `示例：
  parley stop

退出码：0 已没有服务器在运行，2 用法错误，3 未能停止。
--json 输出 { stopped }。`,
  'help.status': '显示服务器是否在运行，以及地址',
  'help.status.more': `示例：
  parley status --json

退出码：0 正在运行并有响应，1 没有，2 用法错误。
--json 输出 { running, responding, url, pid, uptime_seconds, database,
version, log? }。`,
  'help.backup': '把服务器保存的全部内容写入一个文件',
  'help.backup.more': `服务器可以继续运行：备份对应某一时刻。服务器密钥和服务器自带 Agent 的密钥
不包含在内，除非使用 --with-secrets。

示例：
  parley backup parley.backup
  parley backup parley.backup --with-secrets

退出码：0 已写入，1 没有可备份的内容或文件已存在，2 用法错误，3 环境问题。
--json 输出 { file, bytes, with_secrets, keystores }。`,
  'help.secrets': '更换服务器的密钥，不使任何人退出登录',
  'help.secrets.more': `这些密钥签署会话、加密 Webhook 密钥。之前的密钥在停用之前仍然有效。

示例：
  parley secrets rotate && parley stop && parley start
  parley secrets retire`,
  'help.secrets.status': '查看之前的密钥是否仍然有效',
  'help.secrets.status.more': `示例：
  parley secrets status --json

退出码：0 已显示，2 用法错误，3 没有密钥。
--json 输出 { rotating, prepared, rotated_at, restart_needed }。`,
  'help.secrets.rotate': '生成新的密钥；之前的仍然有效',
  'help.secrets.rotate.more': `服务器在重新启动后使用新密钥。有多个节点时，先用 --prepare 运行，把
secrets.json 复制到所有节点并重新启动；再不带该选项运行，复制并重新启动：
这样任何节点都不会遇到不认识的密钥。

示例：
  parley secrets rotate
  parley secrets rotate --prepare

退出码：0 完成，2 用法错误，3 没有密钥，或之前的仍然有效。
--json 输出 { rotating, prepared, rotated_at, restart_needed }。`,
  'help.option.prepare': '只让节点认识它们，用于多个节点',
  'help.secrets.retire': '移除之前的密钥',
  'help.secrets.retire.more': `先把由它们加密的 Webhook 密钥重新加密。由它们签署的访问令牌在下次重新启动后
失效；用户的设备会自动获取新的令牌。请等到所有节点都使用新密钥之后再运行。

示例：
  parley secrets retire

退出码：0 已全部移除，2 用法错误，3 仍有服务器在使用。
--json 输出 { retired }。`,
  'secrets.none': '没有之前的密钥。',
  'secrets.rotating': '之前的密钥仍然有效。所有节点都使用新密钥之后，请停用它们：{parley} secrets retire',
  'secrets.prepared': '新的密钥已准备好。所有节点都有此文件并重新启动之后：{parley} secrets rotate',
  'secrets.restart': '请重新启动服务器，使现在的密钥文件生效：{parley} stop，然后 {parley} start',
  'secrets.retired': '之前的密钥已移除。服务器在下次重新启动后不再接受它们。',
  'help.restore': '用备份填充一个空的服务器',
  'help.restore.more': `要么全部恢复，要么什么都不变。服务器必须已停止，数据库必须为空：
请先移走数据目录，或用 PARLEY_DATA_DIR 指定新的目录。

示例：
  parley restore parley.backup

退出码：0 已恢复，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { file, created_at, parley_version, secrets_restored }。`,
  'help.argument.backup': '要写入的文件',
  'help.argument.restore': '备份文件',
  'help.argument.email': '账户的邮箱地址',
  'help.option.foreground': '留在当前终端，直到按下 Ctrl-C',
  'help.option.with_secrets': '包含服务器密钥及其自带 Agent 的密钥；请妥善保管该文件',
  'help.tour': '一分钟导览：检查、比较并预览一个示例',
  'help.tour.more': `在终端中，按 Enter 继续，按 q 离开。不在终端中时一次输出全部内容。

示例：
  parley tour --locale zh-CN`,
  'help.examples': '把示例写入一个新目录',
  'help.examples.more': `可供尝试和参考的能力清单、套件和技能。已存在的目录不会被改动。

示例：
  parley examples
  parley examples demo

退出码：0 已写入，1 被拒绝，2 用法错误，3 无法写入目录。
--json 输出 { folder, files }。`,
  'help.argument.examples': '写到哪里',
  'help.completion': '输出用 Tab 补全命令的脚本',
  'help.completion.more': `脚本包含此版本的所有命令、选项和可选值，更新后请重新生成。说明文字使用
--locale 指定的语言。

示例：
  source <({program} completion bash)           写入 ~/.bashrc
  source <({program} completion zsh)            写入 ~/.zshrc，在 compinit 之后
  {program} completion fish | source            写入 ~/.config/fish/config.fish

退出码：0 已输出，2 用法错误。--json 输出 { shell, script }。`,
  'help.argument.shell': 'bash、zsh 或 fish',
  'help.argument.files': '能力清单文件；- 或留空表示标准输入',
  'help.argument.old': '变更前的能力清单；- 表示标准输入',
  'help.argument.new': '变更后的能力清单；- 表示标准输入',
  'help.argument.target': '写到哪里（manifest.json）；- 表示标准输出',
  'help.option.json': '输出 JSON，包括错误',
  'help.option.locale': '文字的语言：en 或 zh-CN（默认取自 LC_ALL、LC_MESSAGES、LANG）',
  'help.option.help': '显示本帮助',
  'help.option.version': '显示版本',
  'help.option.policy': 'spec 或 guide（默认 spec）',
  'help.option.no_fail': '即使不兼容，也以 0 退出',
  'help.option.yes': '不提问，直接写出初稿',
  'help.option.force': '替换已有文件',
  'help.command.help': '显示某个命令的帮助',

  'usage.unknown_option': '没有选项 {name}。',
  'usage.unknown_command': '没有命令 {name}。',
  'usage.missing_argument': '缺少参数 {name}。',
  'usage.option_argument_missing': '选项 {name} 需要一个值。',
  'usage.invalid_value': '{value} 不是 {name} 的有效值；可选值：{choices}。',
  'usage.refused_value': '{value} 不是 {name} 的有效值。{reason}',
  'usage.excess_arguments': '参数过多。',
  'usage.missing_command': '缺少命令。',
  'usage.no_input': '请指定文件，或通过管道传入能力清单。',
  'usage.stdin_twice': '标准输入（-）只能读取一次。',
  'usage.did_you_mean': '是否想输入 {name}？',
  'usage.see_help': '参见：{command} --help',

  'input.not_readable': '您没有读取 {file} 的权限。',

  'error.text': '{text}',
  internal: 'parley 内部出错：{reason}\n设置 PARLEY_DEBUG=1 可查看位置。',

  'ask.yes': '是',
  'ask.no': '否',

  'severity.error': '错误',
  'severity.warning': '警告',
  'count.errors.one': '{n} 个错误',
  'count.errors.many': '{n} 个错误',
  'count.warnings.one': '{n} 个警告',
  'count.warnings.many': '{n} 个警告',
  'count.files.one': '{n} 个文件',
  'count.files.many': '{n} 个文件',
  'count.breaking.one': '{n} 处不兼容变化',
  'count.breaking.many': '{n} 处不兼容变化',
  'count.other.one': '{n} 处其他变化',
  'count.other.many': '{n} 处其他变化',
  'list.separator': '、',

  'validate.valid': '{file} 有效。',
  'validate.valid_with': '{file} 有效，但有{findings}。',
  'validate.invalid': '{file} 无效：{findings}。',
  'validate.total': '共 {files}，{valid} 个有效，{invalid} 个无效。',
  'manifest.invalid': '能力清单无效：{files}。',

  'diff.same': '没有变化：两者的哈希值相同。',
  'diff.breaking': '不兼容：用户需要重新授权。',
  'diff.breaking_scopes': '不兼容：用户需要重新授权 {scopes}。',
  'diff.silent': '兼容：用户无需重新授权。',
  'diff.mark.breaking': '不兼容',
  'diff.mark.notice': '告知',
  'diff.mark.none': '不告知',
  'diff.summary': '{breaking}，{others}。策略：{policy}。',

  'init.written': '已写入 {file}。',
  'init.next': '下一步：{parley} manifest validate {file}',
  'init.title': '新建能力清单',
  'init.ask.agent_version': '您的 Agent 是哪个版本？',
  'init.ask.tool': '第一个工具叫什么名字？',
  'init.ask.tool_text': '用一句话告诉用户这个工具做什么',
  'init.ask.arguments': '它需要哪些参数？用逗号分隔名称，可留空',
  'init.ask.scope': '它需要哪项权限？',
  'init.ask.scope_other': '其他权限',
  'init.ask.scope_id': '权限的 id，例如 network:http',
  'init.ask.scope_text': '用几个字说明这项权限允许做什么',
  'init.ask.sensitivity': '它有多敏感？',
  'init.ask.flags': '您的 Agent 还能做什么？空格选择，Enter 继续',
  'init.sensitivity.low': '直接执行，不询问',
  'init.sensitivity.medium': '先询问，之后在该会话中 24 小时内不再询问',
  'init.sensitivity.high': '每次都询问',
  'init.flag.supports_streaming': '边写边显示回答',
  'init.flag.supports_artifacts': '发送表单、表格等 Artifact',
  'init.flag.supports_voice': '理解并发送语音',
  'init.flag.supports_group_chat': '加入群聊',
  'init.needed': '此处不能留空。',
  'init.argument_invalid': '只能使用字母、数字和下划线，并以字母开头。',
  'init.example.tool_text': '读取您指定的一个文件',
  'init.example.scope_text': '访问网址',
  'init.cancelled': '没有写入任何内容。',

  'server.because': '原因：{text}',
  'start.starting': '正在启动 Parley……',
  'start.running': 'Parley 已启动：{url}',
  'start.already': 'Parley 已在 {url} 运行',
  'start.port_ignored':
    '它没有使用 {port} 端口：PARLEY_PORT 要到下次启动才生效。先运行 {parley} stop，再运行 {parley} start。',
  'start.operator_link': `此服务器还没有运营者。要成为运营者，请用此链接创建账户
（只能使用一次）：{link}`,
  'start.operator_file': `此服务器还没有运营者。用于创建运营者账户的链接在
{file} 中`,
  'start.next': '{parley} status 显示详情，{parley} stop 停止。',
  'stop.stopped': 'Parley 已停止。',
  'stop.none': '没有正在运行的服务器。',
  'status.none': '没有正在运行的服务器。启动：{parley} start',
  'status.starting': '服务器正在启动（进程 {pid}）。',
  'status.running': 'Parley 正在 {url} 运行',
  'status.silent': 'Parley 应在 {url} 运行，但没有响应。',
  'status.process': '进程 {pid}，已运行 {uptime}',
  'status.database.embedded': '数据库：内置',
  'status.database.external': '数据库：外部（DATABASE_URL）',
  'status.version': '版本 {version}',
  'status.log': '日志：{file}',
  'backup.written': '已写入 {file}（{kib} KiB）。',
  'backup.keystores': '其中包含服务器自带 Agent 的密钥库：{count} 个。',
  'backup.no_keystores': '其中没有 Hashee 或 DemoBot 的密钥：本机上没有。如果它们在另一台机器上运行，请在那里备份。',
  'backup.guard_it': '其中包含服务器密钥及其自带 Agent 的密钥：读到它的人可以冒充任何人登录。',
  'backup.without_secrets': '不含服务器密钥：请另行妥善保存 secrets.json，或使用 --with-secrets。',
  'backup.empty': '还没有可备份的内容。',
  'restore.done': '已从 {file} 恢复（由版本 {version} 于 {time} 生成）。',
  'restore.next': '下一步：{parley} start',
  'restore.without_secrets': '备份中没有密钥。请放回 secrets.json，或重新设置 Webhook 密钥。',
  'restore.unreadable': '{file} 不是备份，或已损坏。没有恢复任何内容。',
  'restore.newer': '{file} 由更新版本的 Parley 生成。没有恢复任何内容。',
  'restore.not_empty': '数据库不是空的。请移走数据目录，或使用其他目录。',

  'examples.written': '{count} 个文件已写入 {folder}。',
  'examples.next': `可以试试：
  {parley} manifest validate {folder}/manifests/demobot.json
  {parley} bundle validate {folder}/bundles/note-taker
  {parley} skill validate {folder}/skills/translate.json`,

  'tour.title': '一分钟了解 Parley',
  'tour.intro': `Agent 声明自己能做什么，由人来决定允许它做什么。
这份声明就是能力清单，一个 JSON 文件。下面是 DemoBot 的 {tools} 个工具之一，
以及它需要的权限：`,
  'tour.validate': '能力清单写得对吗？检查器一次列出所有问题，并给出行号和列号。',
  'tour.broken': '再看一份有错误的能力清单。每个问题都有供程序使用的代码和供人阅读的说明。',
  'tour.diff': `DemoBot 的下一个版本想要更多权限。比较结果会说明哪些调用不再有效，
以及已添加该 Agent 的用户是否需要重新授权。`,
  'tour.preview': '这是用户在添加 Agent 之前看到的页面。',
  'tour.next': '导览到此结束。接下来可以输入：',
  'tour.next.examples': '得到这些文件，自己修改',
  'tour.next.init': '编写您自己的能力清单',
  'tour.next.validate': '边改边检查',
  'tour.next.help': '其他所有功能',
  'tour.pause': '按 Enter 继续，按 q 离开',
};
