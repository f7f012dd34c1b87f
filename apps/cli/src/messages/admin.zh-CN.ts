import type { adminEn } from './admin.en.ts';

export const adminZhCN: Readonly<Record<keyof typeof adminEn, string>> = {
  'help.admin': '以运营者身份管理服务器上的账户',
  'help.admin.more': `使用您自己的登录（parley login），该账户必须是运营者。服务器会记录您做了
什么、何时、为何以及来自哪个地址。对账户采取限制措施前会询问您的密码，除非您在
最近十分钟内给出过。

示例：
  parley admin accounts
  parley admin show ada@example.com
  parley admin suspend ada@example.com --reason "发送垃圾信息"
  parley admin audit`,
  'help.admin.accounts': '列出账户，最新的在前',
  'help.admin.accounts.more': `可按名称或地址的一部分查找。运营者看不到任何人写的内容。

示例：
  parley admin accounts
  parley admin accounts example.com --status suspended
  parley admin accounts --role operator
  parley admin accounts --all --json

退出码：0 已列出，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { accounts }。`,
  'help.admin.show': '显示一个账户及其拥有的数量',
  'help.admin.show.more': `示例：
  parley admin show ada@example.com

退出码：0 已显示，1 没有该账户或被拒绝，2 用法错误，3 环境问题。
--json 输出该账户及其各项数量。`,
  'help.admin.suspend': '停用一个账户及其 Agent',
  'help.admin.suspend.more': `其会话和连接立即结束，其 Agent 被拒绝，Webhook 不再收到任何内容，也无法登录。
不会删除任何东西：用 “resume” 可撤销。

示例：
  parley admin suspend ada@example.com --reason "发送垃圾信息"

退出码：0 完成，1 没有该账户或被拒绝，2 用法错误，3 环境问题。
--json 输出 { user_id, email, role, status }。`,
  'help.admin.resume': '恢复被停用的账户',
  'help.admin.resume.more': `其所有者可重新登录；其 Agent 及关系继续有效。

示例：
  parley admin resume ada@example.com

退出码：0 完成，1 没有该账户或被拒绝，2 用法错误，3 环境问题。
--json 输出 { user_id, email, role, status }。`,
  'help.admin.sign_out': '让一个账户在所有地方退出登录',
  'help.admin.sign_out.more': `结束其全部会话和连接，例如在电脑丢失之后。其 Agent 继续工作，所有者可以
重新登录。

示例：
  parley admin sign-out ada@example.com --reason "电脑丢失"

退出码：0 完成，1 没有该账户或被拒绝，2 用法错误，3 环境问题。
--json 输出 { user_id, email, role, status, sessions }。`,
  'help.admin.revoke': '把运营者变回普通账户',
  'help.admin.revoke.more': `不能对自己执行，因此始终会有一位运营者。

示例：
  parley admin revoke ada@example.com

退出码：0 完成，1 没有该账户或被拒绝，2 用法错误，3 环境问题。
--json 输出 { user_id, email, role, status }。`,
  'help.grant': '把一个账户设为运营者',
  'help.grant.more': `不带 --url 时直接在本机服务器的数据库中操作，无论它是否在运行，也无需登录。
带 --url 时以您登录的运营者身份请求该服务器。运营者无法阅读消息。

示例：
  parley admin grant ada@example.com
  parley admin grant ada@example.com --url https://parley.example.com

退出码：0 完成，1 没有该账户或被拒绝，2 用法错误，3 环境问题。
--json 输出 { email, role }。`,
  'help.admin.audit': '显示运营者做过什么，最新的在前',
  'help.admin.audit.more': `每项操作都记录了谁、对谁、何时、为何以及来自哪个地址。日志只会追加。

示例：
  parley admin audit
  parley admin audit --account ada@example.com
  parley admin audit --all --json > operators.json

退出码：0 已列出，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { actions }。`,
  'help.admin.quota': '查看或更改一个账户的配额',
  'help.admin.quota.more': `不指定配额时，显示全部配额及已用量。给出数值即为该账户替换默认值；--clear
恢复默认值。

示例：
  parley admin quota ada@example.com
  parley admin quota ada@example.com bytes_stored 10GiB
  parley admin quota ada@example.com bytes_stored --clear

退出码：0 完成，1 没有该账户或被拒绝，2 用法错误，3 环境问题。
--json 输出 { user_id, email, budgets }。`,
  'help.admin.reset_link': '生成一个用于设置新密码的链接',
  'help.admin.reset_link.more': `链接只能使用一次，也只显示一次。只能交给账户的所有者：系统会告知其所有者
已生成链接。它不能打开消息；打开消息需要恢复密钥或另一台设备。

示例：
  parley admin reset-link ada@example.com

退出码：0 已生成，1 没有该账户或被拒绝，2 用法错误，3 环境问题。
--json 输出 { user_id, email, link, expires_at }。`,
  'help.admin.invitations': '邀请他人注册',
  'help.admin.invitations.more': `示例：
  parley admin invitations create --uses 5 --days 14 --note "团队"
  parley admin invitations list
  parley admin invitations revoke <invitation>`,
  'help.admin.invitations.create': '创建邀请；其链接只显示一次',
  'help.admin.invitations.create.more': `示例：
  parley admin invitations create --uses 5 --days 14 --note "团队"

退出码：0 已创建，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { invitation, code, link }。`,
  'help.admin.invitations.list': '列出邀请，最新的在前',
  'help.admin.invitations.list.more': `示例：
  parley admin invitations list

退出码：0 已列出，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { invitations }。`,
  'help.admin.invitations.revoke': '结束邀请；已用它注册的人不受影响',
  'help.admin.invitations.revoke.more': `示例：
  parley admin invitations revoke 0198c0de-0000-7000-8000-000000000000

退出码：0 已结束，1 没有该邀请或被拒绝，2 用法错误，3 环境问题。
--json 输出 { invitation_id }。`,
  'help.argument.account': '账户的邮箱地址或 ID',
  'help.argument.search_accounts': '名称或地址的一部分',
  'help.argument.budget': '配额名称（见列表）及其新的上限，例如 500 或 10GiB',
  'help.argument.invitation': '邀请的 ID，见列表',
  'help.option.status': '只列出此状态的账户',
  'help.option.role': '只列出此角色的账户',
  'help.option.all': '全部列出，而不只是最新的',
  'help.option.reason': '原因，写入操作日志',
  'help.option.grant_url': '请求该服务器，而不是本机的数据库',
  'help.option.audit_account': '只显示对此账户的操作',
  'help.option.audit_operator': '只显示这位运营者的操作',
  'help.option.clear': '恢复默认值',
  'help.option.uses': '可供多少人注册（1）',
  'help.option.days': '有效天数（7）',
  'help.option.note': '备注，供自己查看',

  'admin.granted': '{email} 现在是运营者。',
  'admin.revoked': '{email} 现在是普通账户。',
  'admin.suspended': '{email} 已停用。撤销请运行：{parley} admin resume {email}',
  'admin.resumed': '{email} 可以重新登录了。',
  'admin.signed_out': '{email} 已在所有地方退出登录（{sessions}）。',
  'admin.no_account': '没有这样的账户。',
  'admin.no_action': '还没有任何操作。',
  'admin.count_wanted': '必须是 1 到 {most} 之间的整数。',
  'admin.read_so_far': '已读取 {count} 条……',
  'admin.role.admin': '运营者',
  'admin.status.active': '正常',
  'admin.status.banned': '已停用',
  'admin.status.deleted': '已删除',
  'admin.never_seen': '从未登录',
  'admin.seen': '最近活动 {time}',
  'admin.since': '注册于 {time}',
  'admin.holding.sessions': '{count} 个会话',
  'admin.holding.devices': '{count} 台设备',
  'admin.holding.passkeys': '{count} 个通行密钥',
  'admin.holding.relations': '已添加 {count} 个 Agent',
  'admin.holding.conversations': '{count} 个对话',
  'admin.holding.bundles': '已发布 {count} 个套件',
  'admin.holding.skills': '已发布 {count} 个技能',
  'admin.by': '操作者：{who}',
  'admin.by_machine': '服务器本机上的人',
  'admin.from': '，来自 {address}',
  'admin.budget_changed': '由运营者更改；默认值为 {default}',
  'admin.budget_unknown': '没有名为 {name} 的配额。可用的有：{names}',
  'admin.budget_value_wanted': '请给出配额名称及新的上限（整数，例如 500 或 10GiB），或者使用 --clear。',
  'admin.reset_link': '只把这个链接交给 {email}。它只能使用一次，有效期至 {time}。',
  'admin.invitation_made': '此链接只显示一次。有效期至 {time}，可供 {uses} 使用。',
  'admin.invitation_line': '已用 {used} / {uses}，有效期至 {time}',
  'admin.invitation_over': '已失效',
  'admin.no_invitation': '没有邀请。',
  'admin.invitation_revoked': '邀请已失效。已用它注册的人不受影响。',
  'count.agents.one': '{n} 个 Agent',
  'count.agents.many': '{n} 个 Agent',
  'count.people.one': '{n} 人',
  'count.people.many': '{n} 人',
  'count.sessions.one': '{n} 个会话',
  'count.sessions.many': '{n} 个会话',
};
