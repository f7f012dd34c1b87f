import type { bundleEn } from './bundle.en.ts';

export const bundleZhCN: Readonly<Record<keyof typeof bundleEn, string>> = {
  'help.roleos': '检查、预览、安装和撤销整支 AI 角色团队。',
  'help.roleos.more': `从这里开始：
  roleos init                                 检测本机并完成设置
  roleos validate manifest.json               套件写得对吗？
  roleos preview ./my-team                    它会在这里做什么？
  roleos install examples/bundles/note-taker  预览、确认、安装
  roleos status                               装了什么，是否完好？

目录 examples 由 parley examples 写入。绝不会只装一半；装上的都能原样撤回。

退出码：0 正常，1 被拒绝或无效，2 用法错误，3 环境问题（文件、网络），
130 被中断：工作区保持原样。`,
  'help.roleos.init': '检测本机，并记录套件装到哪里',
  'help.roleos.init.more': `查找 Node、Python、Docker、OpenClaw，以及启动 MCP 服务器的程序
（npx、uvx）。在终端中会询问工作区。再次运行时只更改指定的内容，
其余保留。所有内容位于 ~/.roleos（ROLEOS_HOME）。

示例：
  roleos init
  roleos init --yes --workspace ~/agents --target plain
  roleos init --yes --mirror official=./mirror

退出码：0 已写入，2 用法错误，3 环境问题。
--json 输出 { config, workspace, target, registry, mirrors, programs,
runtimes }。`,
  'help.roleos.start': '启动控制层：恢复、校验、开启会话',
  'help.roleos.start.more': `若有被中断的更改，先使工作区回到一致状态；再用摘要核对每个已安装的文件；
然后开启会话：作用域为 session 的套件保留到 roleos stop 为止。

示例：
  roleos start

退出码：0 已启动，1 文件有漂移，2 用法错误，3 环境问题。
--json 输出 { workspace, alreadyStarted, session, bundles, removed, … }。`,
  'help.roleos.stop': '停止控制层，并移除该会话的套件',
  'help.roleos.stop.more': `示例：
  roleos stop

退出码：0 已停止，2 用法错误，3 环境问题。
--json 输出 { workspace, stopped, removed }。`,
  'help.roleos.status': '显示控制层、套件、路由和漂移',
  'help.roleos.status.more': `路由按顺序显示：谁先开始，何时由谁交接给谁，出错时怎么办。
到期的更新只会告知，绝不会自动应用。

示例：
  roleos status
  roleos status --json

退出码：0 一切完好，1 文件有漂移，2 用法错误，3 环境问题。
--json 输出 { workspace, control, recovery, bundles, dueUpdates }。`,
  'help.roleos.login': '登录服务器：在浏览器中输入代码',
  'help.roleos.login.more': `发布时需要登录。令牌保存在他人无法读取的文件中。

示例：
  roleos login
  roleos login --url https://parley.example

退出码：0 已登录，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { server, user_id, email, display_name }。`,
  'help.roleos.option.yes': '不提问',
  'help.roleos.option.mirror': 'roleos-mirror://<名称> 的位置：名称=目录 或 名称=https://…',
  'help.roleos.option.server': '服务器地址（默认取 PARLEY_URL 或上次登录的服务器）',

  'help.bundle': '检查、预览、激活、撤销和发布角色套件',
  'help.bundle.more': `套件是一个目录，包含 manifest.json 和各能力包的文件。
更多功能（例如带确认的安装）见 roleos 命令。

示例：
  parley bundle validate ./my-team
  parley bundle preview ./my-team --workspace ~/agents
  parley bundle run-as-agent my-team`,
  'help.bundle.validate': '按全部六级检查套件',
  'help.bundle.validate.more': `问题以“文件:行:列”的形式列出，并附可查询的代码。警告不会使套件无效。
检查目录时会一并检查能力包的文件。

示例：
  {program} validate manifest.json
  {program} validate ./my-team --json

退出码：0 有效，1 无效，2 用法错误，3 无法读取。
--json 输出 { valid, passedLevels, totalLevels, results, errors, warnings }。`,
  'help.bundle.preview': '显示激活套件会做什么，以及风险',
  'help.bundle.preview.more': `不做任何更改。无法取得某个能力包的内容时，仍显示其余的计划并说明原因。

示例：
  {program} preview ./my-team
  {program} preview research-pipeline@1.0.0 --json

退出码：0 已显示，1 无效，2 用法错误，3 环境问题。
--json 输出 { preview, markdown, missing, conflicts, origin, replaces,
upgrade }。`,
  'help.bundle.activate': '不再询问，严格按预览的计划激活',
  'help.bundle.activate.more': `要么全部完成，要么什么都不变，即使进程被强制结束。若预览之后有任何变化，
计划的摘要就会不同，此时不做任何更改。

示例：
  {program} activate ./my-team --plan-digest sha256:…

退出码：0 已激活，1 被拒绝，2 用法错误，3 环境问题，130 被中断。
--json 输出 { bundleId, version, workspace, filesCreated, filesModified,
filesRemoved, entryRole, snapshotId, assertions, warnings }。`,
  'help.bundle.rollback': '撤销套件的上一次激活',
  'help.bundle.rollback.more': `回到上一个版本；没有上一个版本时移除。此后修改过的文件会保留并列出。

示例：
  {program} rollback my-team

退出码：0 已撤销，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { done, bundleId, version, filesRestored, filesRemoved, kept }。`,
  'help.bundle.publish': '把套件的一个版本发布到注册中心',
  'help.bundle.publish.more': `连同 kits/<能力包 id>/ 下的文件。版本一经发布不再改变；id 归首位发布者所有。
需要登录。

示例：
  {program} publish ./my-team
  {program} publish ./my-team --registry https://parley.example

退出码：0 已发布，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { id, version, digest, changes, warnings, registry }。`,
  'help.bundle.install': '安装套件：预览、风险、确认、进度',
  'help.bundle.install.more': `<bundle> 可以是注册中心的 id（名称或 名称@版本）、目录（./名称）、
套件清单文件，或指向它们的 https 地址。按 Ctrl-C 时工作区保持原样。
不在终端中时，请给出预览过的计划摘要。

示例：
  roleos install research-pipeline
  roleos install ./my-team --workspace ~/agents
  roleos install ./my-team --yes --plan-digest sha256:…

退出码：0 已安装，1 被拒绝或未确认，2 用法错误，3 环境问题，130 被中断。
--json 的输出与 activate 相同；没有 --yes 时输出 { error, preview, … }，
其中包含待确认的摘要。`,
  'help.bundle.uninstall': '移除套件，恢复原来的内容',
  'help.bundle.uninstall.more': `逐字节恢复。此后修改过的文件会保留并列出。

示例：
  roleos uninstall research-pipeline

退出码：0 已移除，1 未安装或需手动移除，2 用法错误，3 环境问题。
--json 输出 { done, bundleId, version, filesRestored, filesRemoved, kept }。`,
  'help.bundle.import': '用技能目录（SKILL.md）生成能力包，并以摘要锁定',
  'help.bundle.import.more': `输出能力包，或连同文件放入套件的目录；若那里还没有套件，
则新建一个最小的。

示例：
  roleos import ./skills/web-search
  roleos import ./skills/web-search --into ./my-team

退出码：0 完成，1 不是技能或能力包已存在，2 用法错误，3 环境问题。
--json 输出 {"kit": …}，使用 --into 时还有 manifest 和 digest。`,
  'help.bundle.run': '把已安装的套件作为可以对话的 Agent 运行',
  'help.bundle.run.more': `把套件注册为您的 Agent（或更新其能力清单），然后回复消息，直到按下 Ctrl-C。
它的工具由用户的设备运行，设备会先询问用户。每次运行使用无人可见的新令牌，
除非用 --token-file 保存一个。

示例：
  parley bundle run-as-agent my-team
  parley bundle run-as-agent my-team --no-run --token-file my-team.token

退出码：0 完成，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { agentId, isNew, server, manifestVersion, manifestHash,
breaking, notes }；对新 Agent 使用 --no-run 时还会输出令牌，仅此一次。`,
  'help.bundle.argument.file': '套件清单、套件目录，或 - 表示标准输入',
  'help.bundle.argument.bundle': 'id、目录（./名称）、文件或 https 地址',
  'help.bundle.argument.folder': '套件目录，或不带文件的套件清单',
  'help.bundle.argument.id': '已安装的套件的 id',
  'help.bundle.argument.skill': '含有 SKILL.md 的目录',
  'help.bundle.option.workspace': '工作区（默认取 ROLEOS_WORKSPACE 或 init 记录的目录）',
  'help.bundle.option.registry': '注册中心（默认取 PARLEY_URL、init 记录的或登录的服务器）',
  'help.bundle.option.target': '工作区的类型：openclaw 或 plain',
  'help.bundle.option.allow_short_digest': '接受摘要被缩短的能力包：保护比看上去弱',
  'help.bundle.option.plan_digest': '预览时显示的摘要',
  'help.bundle.option.yes': '不提问；需要 --plan-digest',
  'help.bundle.option.even_if_manual': '即使套件要求手动移除，也直接移除',
  'help.bundle.option.into': '接收能力包的套件目录',
  'help.bundle.option.force': '替换已有的能力包',
  'help.bundle.option.no_run': '只注册，不运行',
  'help.bundle.option.token_file': '把 Agent 的令牌保存在该文件中（0600）并使用它',
  'help.bundle.option.public': '允许所有人找到该 Agent',

  'bundle.no_folder': '没有目录 {file}。请创建它，或用 --workspace 指定其他目录。',
  'bundle.interrupted': '已中断。工作区保持原样，没有任何更改。',
  'bundle.valid': '{file} 有效：6 级中通过 {passed} 级。',
  'bundle.valid_with': '{file} 有效：6 级中通过 {passed} 级，有{findings}。',
  'bundle.invalid': '{file} 无效：6 级中通过 {passed} 级，{findings}。',
  'bundle.has_errors': '该套件有{errors}，没有任何更改。',

  'risk.low': '风险低',
  'risk.medium': '风险中',
  'risk.high': '风险高',
  'risk.critical': '风险严重',
  'scope.session': '仅限本次会话',
  'scope.agent': '用于该 Agent',
  'scope.workspace': '用于该工作区',
  'scope.global': '用于所有工作区',

  'preview.origin': '来自 {registry}，发布者 {publisher}',
  'preview.yanked': '发布者已撤回此版本。',
  'preview.roles': '角色',
  'preview.kits': '能力包',
  'preview.permissions': '权限',
  'preview.routes': '路由',
  'preview.files': '{workspace} 中的文件',
  'preview.upgrade': '与 {version} 相比的变化（! 需要重新同意）',
  'preview.missing': '尚缺',
  'preview.conflicts': '冲突',
  'preview.entry': '工作从这里开始',
  'preview.uses': '使用 {kits}',
  'preview.boundary': '边界：{text}',
  'preview.runs_on': '运行于 {runtime}',
  'preview.from': '来自 {source}，{digest}',
  'preview.no_permissions': '无',
  'preview.plan': '计划 {digest}',
  'preview.next': '没有任何更改。如需严格按此激活：\n  {command}',
  'preview.blocked': '没有任何更改。目前无法激活，原因见上。',

  'routes.alone': '{entry} 独自工作',
  'routes.team': '{label}（{id}），从 {entry} 开始',
  'routes.fallbacks': '若 {source} 失败，依次尝试：{targets}',
  'routes.unreachable': '没有人交接给：{ids}',
  'routes.degradation': '出错时：{rules}',
  'routes.escalation': '询问人之前的尝试次数：{count}',
  'routes.no_escalation': '不询问人',
  'routes.termination': '结束条件：{rules}',
  'routes.condition': '条件 {condition}',
  'routes.priority': '优先级 {priority}',

  'progress.fetch': '正在获取能力包',
  'progress.write': '正在写入文件',
  'install.yes_needs_digest': '--yes 需要 --plan-digest：即 {roleos} preview 显示的摘要。',
  'install.ask': '安装到 {workspace} 吗？（{risk}）',
  'install.same': '无需操作：{workspace} 中已安装完全相同的内容。',
  'install.too_late': '已来不及停止：套件已安装。',
  'install.done': '{name} {version} 已在 {workspace} 中激活。',
  'install.files': '文件：新建 {created} 个，修改 {modified} 个，移除 {removed} 个。撤销：{roleos} rollback {id}',
  'install.entry': '工作从角色 {role} 开始。',

  'remove.not_installed': '{workspace} 中没有安装套件 {id}。查看已安装的：{roleos} status',
  'remove.done': '{id} 已移除。',
  'remove.rolled_back': '{id} 已回到版本 {version}。',
  'remove.files': '文件：恢复 {restored} 个，移除 {removed} 个。',
  'remove.manual': '套件 {id} 需手动移除：请先完成以下步骤，再次卸载（或使用 --even-if-manual）。',
  'remove.manual_file': '删除 {path}',
  'remove.manual_block': '删除 {path} 中的标记块',

  'publish.done': '{id} {version} 已发布到 {registry}。',
  'publish.digest': '摘要 {digest}',
  'publish.next': '他人的安装命令：{roleos} install {id}@{version} --registry {registry}',
  'publish.interrupted': '已中断。可能已经发布；再次发布相同内容不会有影响。',

  'import.done': '能力包 {kit} 已写入 {file}。',
  'import.next': '请填写 riskLevel，然后运行：{command}',

  'init.looking': '正在查找本机上的程序……',
  'init.runtimes': '本机上的程序',
  'init.absent': '未找到',
  'init.version_unknown': '版本未知',
  'init.ask.workspace': '您的 Agent 位于哪个目录？',
  'init.mirror_invalid': '{text} 不是 名称=目录 或 名称=https://…',
  'roleos.ready': '设置完成：{file}',
  'roleos.workspace': '工作区：{workspace}（{target}）',
  'roleos.next': '下一步：{roleos} install BUNDLE，然后 {roleos} start',

  'control.started': '已启动：{workspace}（{time}）。',
  'control.already': '已在 {workspace} 启动（{time}）。',
  'control.stopped': '已在 {workspace} 停止。',
  'control.not_started': '{workspace} 中的控制层没有运行。',
  'control.is_started': '控制层：已于 {time} 启动，工作区 {workspace}',
  'control.is_stopped': '控制层：已停止，工作区 {workspace}。启动：{roleos} start',
  'status.no_bundles': '没有安装套件。',
  'status.kind': '{scope}，类型 {target}；从 {entry} 开始',
  'status.previous': '{roleos} rollback 可回到版本 {version}',
  'status.drift': '漂移：以下文件在安装后有改动，因此不应加载该套件',
  'status.due': '{bundle} 的能力包 {kit}：应检查更新（自 {time} 起到期）。绝不会自动应用。',
  'recovery.undone': '已撤销一次被中断的更改。',
  'recovery.left': '{path} 期间被修改过，保持不变。',
  'recovery.kept': '{path} 期间被修改过；原文件位于 {original}。',

  'agent_run.created': '{name} 现在是 Agent：{id}（{url}）',
  'agent_run.updated': '{name} 的能力清单版本为 {version}：{id}（{url}）',
  'agent_run.add': '与它对话：在 {url} 登录，或使用 {parley} chat，并添加 Agent {id}。',
  'agent_run.fingerprint': '已生成新密钥。请公布此指纹：{fingerprint}',
  'agent_run.running': '正在运行；按 Ctrl-C 停止。',
  'agent_run.status': '连接：{status}',
  'agent_run.problem': '问题：{reason}',
  'agent_run.stopped': 'Agent 已停止，注册信息仍然保留。',
  'agent_run.roles': '我是{name}。我的角色：{roles}。',
  'agent_run.kits': '我的能力包：{kits}。',
  'agent_run.tools': '写出工具名称及其输入，我会请您的设备运行它：',
  'agent_run.no_tools': '我没有可以调用的工具。',
  'agent_run.bad_arguments': '{tool}：这不是有效的 JSON。',
  'agent_run.result': '{tool} 的结果：{result}',
  'agent_run.refused': '您没有允许 {tool}，因此没有运行。',
  'agent_run.failed': '{tool} 没有给出结果。{reason}',
};
