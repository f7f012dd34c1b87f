import type { deviceHelpEn } from './device-help.en.ts';

export const deviceHelpZhCN: Readonly<Record<keyof typeof deviceHelpEn, string>> = {
  'help.option.url': '服务器地址（PARLEY_URL，否则为上次登录的，否则为 http://localhost:8484）',
  'help.option.no_color': '不使用颜色；与 NO_COLOR 相同',
  'help.login': '登录，并将本机设为账户的设备',
  'help.login.more': `在终端中询问邮箱和密码；加 --device 或没有终端时，显示在浏览器中输入的代码。
账户已有设备时，本机显示代码，并等待您在保管账户密钥的设备上输入它；
账户还没有设备时，会询问这是否真的是第一台。
密钥和令牌保存在 ~/.parley（PARLEY_HOME），只有您能读取。

示例：
  parley login
  parley login --url https://parley.example --device
  parley login --email ada@example.org --password-stdin < password.txt

退出码：0 已登录，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { server, user_id, email, display_name, device: { state, folder,
device_id, code?, recovery_unsaved? } }；state 为 ready 或 waiting。
加 --json 时不会询问：第一台设备需要 --first-device。`,
  'help.register': '创建账户，并将本机设为第一台设备',
  'help.register.more': `会生成账户密钥，以及失去所有设备时使用的恢复密钥：接下来请用
parley recovery 保存它。

示例：
  parley register --url http://localhost:8484
  parley register --invitation https://parley.example.com/sign-up#…

退出码：0 已注册，1 被拒绝，2 用法错误，3 环境问题。
--json 的输出与 parley login 相同。`,
  'help.logout': '退出登录；加 --forget 还会删除设备及其密钥',
  'help.logout.more': `示例：
  parley logout
  parley logout --forget                      密钥、消息和审计日志都会删除

退出码：0 已退出，1 恢复密钥尚未保存（没有 --yes），2 用法错误，3 环境问题。
--json 输出 { server, signed_out, forgotten }。`,
  'help.whoami': '显示当前登录者及设备密钥的位置',
  'help.whoami.more': `示例：
  parley whoami --json

退出码：0 已登录，1 未登录，2 用法错误，3 环境问题。
--json 输出 { server, user_id, email, display_name, role, device_folder,
device_key }；parley chat 运行时 device_key 为 null。`,
  'help.devices': '列出、批准和撤销账户的设备',
  'help.devices.more': `由保管账户密钥的设备添加和移除其他设备：即第一台，以及您设为保管设备的那些。

示例：
  parley devices list
  parley devices approve 0197                 会询问新设备显示的代码
  parley devices keep 0197                    也可以添加和移除设备
  parley devices revoke 0197`,
  'help.devices.list': '列出账户的设备',
  'help.devices.list.more': `退出码：0 正常，1 未登录或此设备在等待，2 用法错误，
3 环境问题（例如 parley chat 正在运行，可在其中使用 /devices）。
--json 输出 { devices: [{ device_id, name, created_at, current, listed, keeper,
cut_off }], is_keeper }。listed 为 false 的在等待批准；cut_off 的已被服务器
拒之门外，但仍在列表中：请移除它。`,
  'help.devices.approve': '批准等待中的设备',
  'help.devices.approve.more': `代码在本机核对：服务器若在途中替换密钥会被发现。
在终端中会询问代码，以及新设备是否也保管账户密钥；不在终端时，
只有给出 --keeper 才会保管。

示例：
  parley devices approve 0197 --code "12345 67890 12345 67890 12345"

退出码：0 已批准，1 代码错误或此设备不保管密钥，2 用法错误，3 环境问题。
--json 输出 { device_id, approved, keeper }。`,
  'help.devices.keep': '让一台设备保管账户密钥',
  'help.devices.keep.more': `之后它可以添加和移除设备。请至少有两台保管设备：失去一台时，
可用另一台撤销它。

退出码：0 完成，1 被拒绝或此设备不保管密钥，2 用法错误，3 环境问题。
--json 输出 { device_id, keeper }。`,
  'help.devices.revoke': '撤销设备；其会话立即结束',
  'help.devices.revoke.more': `在保管账户密钥的设备上执行即最终生效：被撤销的设备此后的签名均无效；
如果它是保管设备，账户密钥会更换。在其他设备上执行时，
只由服务器将其拒之门外，直到保管设备签名为止。

退出码：0 已撤销，1 没有该设备，2 用法错误，3 环境问题。
--json 输出 { device_id, revoked, signed }。`,
  'help.recovery': '保存和使用账户的恢复密钥',
  'help.recovery.more': `恢复密钥随账户生成，共 28 个字母和数字，在您保存之前留在第一台设备上。
失去所有设备时，用它找回账户。

示例：
  parley recovery save recovery.txt
  parley recovery show                        显示出来，手工抄写
  parley recovery use                         在新机器上，登录之后`,
  'help.recovery.save': '将恢复密钥写入文件，本机不再保留',
  'help.recovery.save.more': `该文件只有您能读取；已存在的文件不会被替换。

退出码：0 已写入，1 密钥不在本机或文件已存在，2 用法错误，3 环境问题。
--json 输出 { file, saved }。`,
  'help.recovery.show': '显示恢复密钥，供手工抄写',
  'help.recovery.show.more': `仅限终端。随后询问您是否已抄写；若是，本机不再保留它。

退出码：0 已显示，1 密钥不在本机，2 不在终端中，3 环境问题。`,
  'help.recovery.use': '用恢复密钥在本机恢复账户',
  'help.recovery.use.more': `请先登录：parley login --no-wait。本机将成为账户的唯一设备：其他设备全部移除，
可以重新添加；账户密钥会更换；您的 Agent 要等您在 parley chat 中确认。
不给出文件时会询问恢复密钥；不在终端时从标准输入读取。
旧版本的恢复文件（带密码短语）同样可用，它不会移除其他设备。

示例：
  parley recovery use
  parley recovery use recovery.txt

退出码：0 已恢复，1 密钥或密码短语错误，或无需恢复，2 用法错误，3 环境问题。
--json 输出 { device_id, state, others_removed }。`,
  'help.account': '密码、通行密钥、账户密钥和用量',
  'help.account.more': `示例：
  parley account change-password
  parley account reset-password --email ada@example.com
  parley account rotate-key
  parley account settle                       会询问恢复密钥`,
  'help.account.rotate_key': '在所有保管设备上更换账户密钥',
  'help.account.rotate_key.more': `当有人可能持有它的副本时使用，例如设备的旧备份：之后该副本不再有用。
任何设备都无需重新批准。

退出码：0 已更换，1 此设备不保管密钥，2 用法错误，3 环境问题。
--json 输出 { rotated, keepers }。`,
  'help.account.settle': '用恢复密钥说明哪些设备属于您',
  'help.account.settle.more': `设备列表出现两个都已签名的版本时，说明有人持有账户密钥的副本；
在用恢复密钥处理之前，不会发送任何内容。本机所知的设备会保留：
请先查看 parley devices list。

退出码：0 已处理，1 密钥错误，2 用法错误，3 环境问题。
--json 输出 { settled, devices }。`,
  'help.account.change_password': '更改账户密码',
  'help.account.change_password.more': `您的其他会话都会结束。在终端中会列出通行密钥，并询问同时停用哪些；使用 --stdin
时，除本会话所用的那个外全部停用。

示例：
  parley account change-password
  parley account change-password --no-end-passkeys

退出码：0 已更改，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { changed, passkeys_ended }。`,
  'help.account.reset_password': '用邮件或运营者提供的链接设置新密码',
  'help.account.reset_password.more': `加 --email 时，服务器会先向该地址发送链接。不发送邮件的服务器，可由运营者
生成链接。所有设备都会退出登录；密钥和消息仍在这些设备上。在终端中会询问是否
同时停用通行密钥；使用 --stdin 时会停用。

示例：
  parley account reset-password --email ada@example.com
  parley account reset-password               会询问运营者给的链接

退出码：0 完成，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { requested, reset }。`,
  'help.account.passkeys': '列出账户的通行密钥，或移除其中一个',
  'help.account.passkeys.more': `显示每个密钥的添加时间和上次使用时间。添加需要浏览器。
移除会结束由它开始的会话；除非十分钟内给出过密码，否则会要求输入密码。

示例：
  parley account passkeys
  parley account passkeys --remove AbC123

退出码：0 已列出或移除，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { passkeys } 或 { removed }。`,
  'help.option.invitation': '邀请的链接或代码',
  'help.option.end_passkeys': '同时停用账户的所有通行密钥',
  'help.option.no_end_passkeys': '保留账户的通行密钥',
  'help.option.change_stdin': '标准输入的两行：旧密码和新密码',
  'help.option.reset_stdin': '标准输入的两行：链接和新密码',
  'help.option.reset_email': '先向此地址发送链接',
  'help.option.remove_passkey': '要移除的通行密钥的编号',
  'help.chat': '与 Agent 对话，并决定它们在本机上可以做什么',
  'help.chat.more': `终端中的真实设备：端到端加密，有自己的密钥、授权和审计日志。
AGENT 可以是名称、编号或链接。在您允许的范围内，Agent 可以在这里显示通知、
读取剪贴板、打开网址；文件仅限 --allow-dir 之下，位置仅限 --location 给出的。

加 --send 时发送一条消息，等待回复后结束：所有询问均视为拒绝，
--allow 指定的工具除外。

示例：
  parley chat
  parley chat DemoBot --allow-dir ~/notes
  parley chat DemoBot --send "我在哪里" --location 31.23,121.47 \\
    --allow read_location --json

退出码：0 正常，1 被拒绝或没有回复，2 用法错误，3 环境问题。
--json（与 --send 一起）输出 { conversation_id, sent, answered, replies, calls:
[{ call_id, tool_name, state, status, reason? }], notifications }。`,
  'help.audit': '查看、验证和导出 Agent 对此设备的请求记录',
  'help.audit.more': `日志只含摘要，不含参数和结果，保存 30 天。

示例：
  parley audit list --status denied
  parley audit verify
  parley audit export --file audit.jsonl`,
  'help.audit.list': '列出记录，最新的在前',
  'help.audit.list.more': `退出码：0 正常，1 没有设备，2 用法错误，3 环境问题。
--json 输出 { records: [{ seq, call_id, agent_id, tool_name, scope,
arguments_digest, status, reason?, timestamp, … }] }。`,
  'help.audit.verify': '验证日志未被改动、删除或移位',
  'help.audit.verify.more': `加 --file 可验证任何设备导出的日志：--key 为该设备的公钥（在其上运行
parley whoami 可见），不给出时使用本机的。

示例：
  parley audit verify
  parley audit verify --file audit.jsonl --key KEY

退出码：0 完整，1 不完整，2 用法错误，3 环境问题。
--json 输出 { ok, entries, head, device_key } 或 { ok, problem, seq,
message }。`,
  'help.audit.export': '导出日志，供他人验证',
  'help.audit.export.more': `每行一个 JSON 对象，输出到标准输出或 --file。

退出码：0 已导出，1 没有设备，2 用法错误，3 环境问题。
--json 输出 { device_key, lines } 或 { file, device_key, lines }。`,
  'help.agent': '创建和管理您自己的 Agent',
  'help.agent.more': `示例：
  parley agent create DemoBot --manifest manifest.json --token-file token.txt
  parley agent list
  parley manifest push manifest.json --agent DemoBot`,
  'help.agent.create': '创建 Agent；令牌仅显示这一次',
  'help.agent.create.more': `默认为私有，只有您能找到，他人需要链接；加 --public 则公开。

退出码：0 已创建，1 被拒绝或能力清单无效，2 用法错误，3 环境问题。
--json 输出 { agent_id, name, visibility, capability_manifest_version,
capability_manifest_hash, token | token_file | settings_file }。`,
  'help.agent.list': '列出您的 Agent',
  'help.agent.list.more': `退出码：0 正常，1 未登录，2 用法错误，3 环境问题。
--json 输出 { agents }。`,
  'help.agent.token': '为 Agent 更换令牌；旧令牌失效',
  'help.agent.token.more': `退出码：0 完成，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { agent_id, token_id, token | token_file | settings_file }。`,
  'help.agent.events': '持续查看 Agent 周围发生的事',
  'help.agent.events.more': `连接、能力清单、令牌、投递、关系，以及消息的数量；
不含用户身份，也不含对话内容。先显示保留的事件，然后持续显示新事件，
直到按下 Ctrl-C。

退出码：0 正常，1 被拒绝，2 用法错误，3 环境问题。--json 每行输出一个事件；
与 --once 一起使用时输出 { events, last_event_id }。`,
  'help.agent.link': '输出可分发的链接，含 Agent 密钥的指纹',
  'help.agent.link.more': `通过该链接首次联系时，无需信任服务器。

退出码：0 正常，1 该 Agent 没有密钥或密钥不符，2 用法错误，3 环境问题。
--json 输出 { link, app_link, fingerprint, verified }。`,
  'help.webhook': '设置 Agent 的事件投递到哪里',
  'help.webhook.more': `用于不保持连接、而是被调用的 Agent。

示例：
  parley agent webhook set MyBot https://bot.example/hook --settings-file .env
  parley agent webhook test MyBot
  parley agent webhook remove MyBot`,
  'help.webhook.set': '设置地址；密钥写入文件',
  'help.webhook.set.more': `地址须为公网 HTTPS；开发中的服务器也接受本机地址。
密钥在首次设置 Webhook 时生成，且只给出这一次。
使用 --settings-file 时，其名称为 PARLEY_WEBHOOK_SECRET。

退出码：0 已设置，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { agent_id, url, secret_is_new, secret_file | settings_file }。`,
  'help.webhook.test': '投递一次 ping 并报告结果',
  'help.webhook.test.more': `退出码：0 已应答，1 未应答或被拒绝，2 用法错误，3 环境问题。
--json 输出 { agent_id, delivery_id, status, last_status, last_error }。`,
  'help.webhook.remove': '不再投递任何事件',
  'help.webhook.remove.more': `退出码：0 已移除，1 被拒绝，2 用法错误，3 环境问题。
--json 输出 { agent_id, removed }。`,
  'help.push': '用新的能力清单替换 Agent 当前的能力清单',
  'help.push.more': `先显示差异和结论，不兼容的更改会先询问。以所有者身份登录，
或用 PARLEY_AGENT_TOKEN 和编号以 Agent 自己的身份（用于 CI）。
若期间有人更改了能力清单，则拒绝推送。

示例：
  parley manifest push manifest.json --agent DemoBot
  parley manifest push manifest.json --agent "$PARLEY_AGENT_ID" --yes --json

退出码：0 已推送或内容相同，1 被拒绝、能力清单无效，或不兼容的更改未加 --yes，
2 用法错误，3 环境问题。--json 输出 { agent_id, pushed,
capability_manifest_version, capability_manifest_hash, breaking, diff }。`,
  'help.argument.agent': 'Agent 的名称、编号或链接',
  'help.argument.agent_name': '名称',
  'help.argument.own_agent': '您的 Agent 的名称或编号',
  'help.argument.webhook_address': '事件投递到的地址：https://…',
  'help.argument.device_id': '设备 ID 或其开头部分',
  'help.argument.recovery': '恢复密钥文件；- 表示标准输入',
  'help.argument.secret_file': '要写入的文件，不能已存在',
  'help.argument.manifest': '能力清单文件；- 表示标准输入',
  'help.option.email': '账户的邮箱地址',
  'help.option.name': '他人看到的名字',
  'help.option.device': '在浏览器中输入代码登录',
  'help.option.password_stdin': '标准输入的第一行是密码',
  'help.option.password_again_stdin': '如需再次给出密码，它是标准输入的第一行',
  'help.option.passphrase_stdin': '标准输入的第一行是旧版恢复文件的密码短语',
  'help.option.recovery_yes': '移除其他设备前不询问',
  'help.option.first_device': '确认账户没有其他设备',
  'help.option.keeper': '它也保管账户密钥',
  'help.option.no_keeper': '它不保管账户密钥',
  'help.option.forget_yes': '即使恢复密钥尚未保存也删除',
  'help.option.no_wait': '不等待设备被批准',
  'help.option.forget': '删除设备及其密钥、消息和日志',
  'help.option.code': '新设备显示的代码',
  'help.option.allow_dir': 'Agent 可读取文件的文件夹；可重复给出',
  'help.option.location': '此设备的位置，供您允许的 Agent 读取',
  'help.option.allow_private': '也允许 Agent 打开本机和内网地址',
  'help.option.send': '发送此内容，等待回复后结束',
  'help.option.allow': '与 --send 一起：允许此工具；可重复给出',
  'help.option.grant': '与 --send 一起：以此权限添加 Agent；可重复给出',
  'help.option.wait': '与 --send 一起：等待回复的秒数（60）',
  'help.option.audit_agent': '只显示此 Agent 的',
  'help.option.audit_tool': '只显示此工具的',
  'help.option.audit_status': '只显示 ok、denied 或 error',
  'help.option.limit': '最多显示多少条（50）',
  'help.option.audit_file': '导出的日志文件',
  'help.option.audit_key': '导出该日志的设备的公钥',
  'help.option.export_file': '要写入的文件',
  'help.option.manifest': '它的能力清单',
  'help.option.description': '它的用途，供他人查找',
  'help.option.public': '所有人都能找到',
  'help.option.token_file': '将令牌写入此文件，只有您能读取',
  'help.option.settings_file': '写入此设置文件（.env）',
  'help.option.secret_file': '将密钥写入此文件，只有您能读取',
  'help.option.overlap': '旧令牌继续有效的秒数（0）',
  'help.option.once': '显示保留的事件后结束',
  'help.option.fingerprint': 'Agent 自己显示的指纹',
  'help.option.agent': '您的 Agent 的名称或编号',
  'help.option.push_yes': '不兼容的更改也不询问，直接推送',
};
