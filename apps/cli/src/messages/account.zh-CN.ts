import type { accountEn } from './account.en.ts';

export const accountZhCN: Readonly<Record<keyof typeof accountEn, string>> = {
  'account.enter_code': `请在浏览器中打开 {uri}，登录后输入代码 {code}
或直接打开 {complete}
正在等待；按 Ctrl-C 放弃。`,
  'account.signed_in': '已以 {name}（{email}）的身份登录 {url}。',
  'account.interrupted': '已取消，没有登录。',
  'account.too_late': '代码在输入之前已过期，请重新开始。',
  'account.expired': '会话已结束。请重新登录：{command}',
  'account.unchanged': '已取消，密码未变。',
  'account.terminal_needed': '没有可供询问的终端。请使用 --stdin，并在标准输入中给出两行。',
  'account.secrets_missing': '标准输入需要两行。',
  'account.ask.end_passkeys': '哪些通行密钥随旧密码一起停用？他人可能添加过。',
  'account.ask.reset_passkeys': '同时移除账户的所有通行密钥吗？他人可能添加过。',
  'account.ask.password_again': '请再次输入您的密码',
  'account.password_again_needed': '执行此操作前请给出您的密码：使用 --password-stdin 时，它是标准输入的第一行。',
  'account.ask.reset_link': '重置密码的链接或其中的代码',
  'account.changed': '密码已更改。您的其他会话均已结束。',
  'account.changed_without_passkeys': '密码已更改。您的其他会话均已结束，以下通行密钥已停用：{names}。',
  'account.reset_sent': '如果有账户使用此地址，链接已发往该邮箱。链接半小时内有效，只能使用一次。',
  'account.reset': `密码已重置，所有设备均已退出登录。请登录：{parley} login
密钥和消息仍在您的设备上。如果这些设备都已不在，恢复密钥可以找回账户：
{parley} recovery use`,
  'account.reset_passkeys': '账户的通行密钥已移除。可在网页客户端的“设置”中重新添加您自己的。',
  'account.no_passkeys': '账户没有通行密钥。可在网页客户端的“设置”中添加。',
  'account.passkey_made': '添加于 {date}',
  'account.passkey_used': '上次使用于 {date}',
  'account.passkey_unused': '从未使用',
  'account.passkey_removed': '通行密钥已移除，不能再用它登录。',
  'account.budget_line': '已用 {used}，上限 {limit}',
  'account.budget_none': '无上限',
  'help.account.usage': '显示账户的各项上限及已用量',
  'help.account.usage.more': `您的设备和所有 Agent 合并计算。只有服务器的运营者可以更改上限。

示例：
  parley account usage --json

退出码：0 完成，1 未登录，2 用法错误，3 环境问题。
--json 输出 { budgets: [{ name, kind, unit, used, limit }] }。`,
};
