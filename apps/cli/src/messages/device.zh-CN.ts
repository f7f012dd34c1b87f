import type { deviceEn } from './device.en.ts';

export const deviceZhCN: Readonly<Record<keyof typeof deviceEn, string>> = {
  'account.ask.name': '您的名字？',
  'account.ask.email': '邮箱地址',
  'account.ask.password': '密码',
  'account.ask.new_password': '密码，至少 10 个字符',
  'account.ask.again': '再输入一次',
  'account.ask.code': '邮件中的验证码',
  'account.secret_missing': '标准输入为空。请在第一行给出密码或密钥。',

  'device.forget_first': '要在本机使用另一个账户：{parley} logout --forget',
  'device.signed_out': '此设备尚未登录。登录命令：{parley} login',
  'device.opening': '无法连接服务器，而此设备尚未就绪过。请稍后再试。',
  'device.waits': `此设备正在等待您批准。请在保管账户密钥的设备上打开网页客户端的“设备”，或运行
  {parley} devices approve {id}
并在那里输入此代码：
  {code}
如果已失去所有设备，请使用恢复密钥：{parley} recovery use`,
  'device.waiting': '正在等待批准；按 Ctrl-C 离开，请求会保留。',
  'device.waits_on': '尚未批准。运行 {parley} login 或 {parley} chat 可继续等待。',
  'device.first_explained': `服务器称此账户还没有任何设备。如果属实，本机将成为第一台设备，并生成账户密钥。
如果您曾在其他设备上使用过此账户，请选择否：向您隐瞒其他设备的服务器也会这样说。`,
  'device.ask_first': '这是您的第一台设备吗？',
  'device.first_left': '您没有回答。您已登录，但本机还不是该账户的设备。',
  'device.unfounded': `服务器称此账户还没有任何设备，而您尚未确认。如果这确实是您的第一台设备：
  {parley} login --first-device
如果您曾在其他设备上使用过此账户，请勿这样做，并向服务器的运营者询问为何隐瞒另一台设备。`,
  'device.was_revoked': `本机已从该账户移除，其密钥不再被接受。如需以新密钥重新加入（不保留消息和日志），请先运行 {parley} logout --forget，再运行 {parley} login`,
  'device.refused': '设备未被批准，而是被移除了。如属误操作，请重新登录。',
  'device.ready': '本机现在是该账户的设备“{name}”，密钥保存在 {folder}',
  'device.next': '下一步：{parley} chat',
  'device.logged_out': '已退出 {url}。设备的密钥仍保留：再次登录即可恢复原状。',
  'device.forgotten': '已退出 {url}。设备已从您的账户中移除，其密钥、消息和日志均已删除。',
  'device.nobody': '您没有登录 {url}。',
  'device.account_id': '账户 {id}',
  'device.folder': '设备：{folder}',
  'device.no_folder': '本机还不是该账户的设备（{folder}）。运行 {parley} login 即可加入。',
  'device.key': '设备公钥，供他人验证其审计日志：{key}',
  'device.this': '本机',
  'device.pending': '等待批准',
  'device.keeper': '保管账户密钥',
  'device.cut_off': '已被服务器拒之门外，但仍在您的列表中：请移除它',
  'device.unnamed': '一台没有名称的设备',
  'device.approved': '已批准“{name}”。',
  'device.approved_keeper': '已批准“{name}”，它也保管账户密钥。',
  'device.not_approved': '您已离开，没有批准任何设备。',
  'device.kept': '“{name}”现在保管账户密钥：它可以添加和移除设备。',
  'device.not_keeper': `此设备不保管账户密钥，无法执行此操作。请使用保管密钥的设备（见 {parley} devices list），或在那里将此设备设为保管设备：
  {parley} devices keep {id}`,
  'device.revoked': '已移除“{name}”，它会立即退出登录。',
  'device.unconfirmed':
    '{names} 尚未确认。在此之前，它们可能仍会接受被移除设备发送的内容。本机会在运行 {parley} chat 时告知它们。',
  'device.shut_out': `“{name}”已退出登录，但只是由服务器执行：此设备不保管账户密钥。如需最终生效，请在保管密钥的设备上运行：
  {parley} devices revoke {id}`,
  'device.unknown': '没有这台设备，或有多台匹配：{id}。{parley} devices list 可显示设备 ID。',
  'device.code_needed': '请给出新设备显示的代码：--code "12345 …"',
  'device.ask_code': '新设备显示的代码',
  'device.ask_keeper': '让“{name}”也保管账户密钥吗？这样即使您失去本机，也能用它添加和移除设备。',

  'recovery_secret.made': `已为您的账户生成恢复密钥。失去所有设备时，它是找回账户的唯一途径，而目前只保存在本机。请现在用以下任一方式保存：
  {parley} recovery save 文件   写入文件
  {parley} recovery show        显示出来，手工抄写`,
  'recovery_secret.saved':
    '已写入 {file}，本机不再保留恢复密钥。请将该文件移到本机以外的安全地方：拿到它的人可以接管账户。',
  'recovery_secret.file_exists': '{file} 已存在，未作改动。请指定另一个文件。',
  'recovery_secret.shown': `请抄写下来，并妥善保管：
  {secret}
失去所有设备时，它是找回账户的唯一途径。拿到它的人可以接管账户。`,
  'recovery_secret.ask_saved': '已经抄写好了吗？若是，本机将不再保留它。',
  'recovery_secret.kept': '恢复密钥仍在本机，请尽快保存。',
  'recovery_secret.forgotten': '本机不再保留恢复密钥，请妥善保管您的那一份。',
  'recovery_secret.needs_terminal': '恢复密钥只在终端中显示给人看。写入文件：{parley} recovery save 文件',
  'recovery_secret.ask_secret': '您的恢复密钥，28 个字母和数字',
  'recovery_secret.left': '您已离开，未做任何更改。',
  'recovery_secret.secret_missing': '输入为空，其中没有恢复密钥。',
  'recovery_secret.explained': `恢复后，本机将是账户的唯一设备：
  • 其他设备全部移除；仍在您手中的可以重新添加。
  • 账户密钥会更换。
  • 在您于本机确认之前（{parley} chat 中的 /review），您的 Agent 什么都不能做。`,
  'recovery_secret.ask_use': '在本机恢复账户吗？',
  'recovery_secret.used': '“{name}”已批准。',
  'recovery_secret.used_more': `其他设备已全部移除。在仍由您持有的设备上，请先运行 {parley} logout --forget，再运行 {parley} login。
在您确认之前，您的 Agent 什么都不能做：运行 {parley} chat，逐个打开并输入 /review。
请继续保管恢复密钥，它保持不变。`,
  'recovery_secret.ask_passphrase': '恢复文件的密码短语',
  'recovery_secret.passphrase_missing': '此恢复文件有密码短语，请用 --passphrase-stdin 给出。',
  'recovery_secret.passphrase_needs_file': '--passphrase-stdin 从标准输入读取密码短语，因此恢复密钥必须来自文件。',
  'recovery_secret.ask_lose':
    '您尚未保存账户的恢复密钥，本机可能有唯一的一份。没有它，又没有其他保管账户密钥的设备，账户就无法找回。仍要移除此设备吗？',

  'account.rotated': '所有保管设备上的账户密钥均已更换。旧密钥的副本不再有任何用处。',
  'account.settle_explained': `您将用恢复密钥说明哪些设备属于您：即本机所知的那些（{parley} devices list）。其他设备全部移除，账户密钥会更换。`,
  'account.settled': '已处理：本机所知的设备属于您，其他设备均已移除，账户密钥已更换。',
  'account.settle_hint': '如果是您自己的账户，请用此命令处理：{parley} account settle',

  'audit.empty': '审计日志为空。',
  'audit.fine': '日志完整：共 {n} 条，未被改动，也无缺失。签名公钥 {key}',
  'audit.written': '已写入 {file}。任何人都可以验证：{parley} audit verify --file 文件 --key {key}',
  'audit.key_invalid': '这不是设备公钥：应为 43 个字母、数字、- 和 _，见 {parley} whoami。',

  'agent.created': '已创建 {name}：{id}',
  'agent.token': '令牌仅显示这一次：{token}',
  'agent.token_file': '令牌已写入 {file}，只有您能读取。',
  'agent.settings_file': 'ID 和令牌已写入 {file}，只有您能读取。',
  'agent.token_old_ended': '之前的令牌已失效。',
  'agent.token_old_ends': '之前的令牌还可使用 {seconds} 秒。',
  'agent.next': '启动时设置 PARLEY_URL={url}、PARLEY_AGENT_ID={id}，并把令牌放入 PARLEY_AGENT_TOKEN。',
  'agent.next_settings': '用此命令启动您的程序：node --env-file={file} 程序',
  'agent.none': '您还没有 Agent。创建命令：{parley} agent create 名称',
  'agent.visibility.public': '公开',
  'agent.visibility.private': '私有',
  'agent.status.active': '正常',
  'agent.status.suspended': '已暂停',
  'agent.status.banned': '已封禁',
  'agent.manifest': '能力清单第 {version} 版，共 {tools} 个工具',
  'agent.events_lost': '连接中断，正在重新连接……',
  'agent.link_unverified': '该指纹来自服务器。请与 Agent 自己显示的指纹核对，或用 --fingerprint 给出。',
  'webhook.set': '事件将发送到 {url}',
  'webhook.secret_file': '签名用的密钥已写入 {file}，只有您能读取。',
  'webhook.secret_stays': '密钥保持不变。如需新密钥，请先移除 Webhook 再重新设置。',
  'webhook.none': '此 Agent 没有 Webhook。设置命令：{parley} agent webhook set AGENT 地址 --settings-file .env',
  'webhook.removed': '不再投递任何事件。',
  'webhook.delivered': 'Webhook 已应答。',
  'webhook.not_delivered': 'Webhook 没有正常应答（{reason}）。您的程序是否在该地址、以该密钥运行？',
  'push.confirm': '不兼容的更改：已添加该 Agent 的所有人都将被要求重新授权。继续吗？',
  'push.done': '现为第 {version} 版，无人需要重新授权。',
  'push.done_breaking': '现为第 {version} 版，已添加该 Agent 的所有人都将被要求重新授权。',
  'push.same': '无需推送：第 {version} 版就是这份能力清单。',
  'usage.missing_option': '缺少选项 {name}。',
  'usage.not_both': '{one} 和 {other} 只能给出一个。',
  'usage.one_of': '请给出 {one} 或 {other}：密钥不会显示在屏幕上。',
  'usage.number': '{name} 需要一个整数。',
};
