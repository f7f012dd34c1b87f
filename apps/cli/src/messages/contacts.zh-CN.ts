import type { contactsEn } from './contacts.en.ts';

/** Contacts and requests. */
export const contactsZhCN: Readonly<Record<keyof typeof contactsEn, string>> = {
  'contacts.incoming': '等您处理的请求',
  'contacts.invitations': '群聊邀请',
  'contacts.contacts': '联系人',
  'contacts.outgoing': '您发出的请求（结果如何不会告知）',
  'contacts.list_blocked': '已屏蔽',
  'contacts.none': '您还没有联系人。您的联系码（交给别人）：{parley} contacts code',
  'contacts.unnamed': '未填写名字的人',
  'contacts.by.code': '持有您的联系码',
  'contacts.by.agent': '通过您的 Agent {agent} 找到您',
  'contacts.by.conversation': '与您在同一个群中',
  'contacts.group_of': '{name} 的群聊',
  'contacts.invited_by': '来自 {name}',
  'contacts.join_pending': '已接受；{name} 上线后您就会加入',
  'contacts.code_explained': '持有此码的人只能请求成为您的联系人。更换它：{parley} contacts code --replace',
  'contacts.code_wrong': '这不是联系码，请检查是否输错。',
  'contacts.id_wrong': '这不是 ID，请检查是否输错。',
  'contacts.ask_one': '请给出其中一项：联系码、--agent 或 --member。',
  'contacts.asked': '请求已发送。对方接受后，您与对方即可互相发消息；如果对方拒绝或并无此人，您不会得到通知。',
  'contacts.already': '{name} 已是您的联系人。',
  'contacts.accepted': '{name} 现在是您的联系人。发消息：{parley} chat',
  'contacts.joined': '您已加入群聊 {name}。',
  'contacts.join_waits': '已接受。邀请您的人上线后，您就会加入群聊 {name}。',
  'contacts.declined': '已拒绝：{name}。对方不会得到通知。',
  'contacts.blocked':
    '已屏蔽：{name}。对方不会得到通知，其写的内容不会送达。在群聊中，对方及其 Agent 写的内容会被隐藏。',
  'contacts.unblocked': '已解除屏蔽：{name}。屏蔽期间写的内容不会补发。',
  'contacts.unknown': '“{who}”不存在，或匹配到多个。运行 {parley} contacts list 查看 ID。',
  'contacts.waiting': '有请求等您处理：/contacts',

  'help.contacts': '决定谁可以给您发消息：联系人、请求与屏蔽',
  'help.contacts.more': `只有联系人可以给您发消息或把您加入群聊。其他人都需要先请求：
凭您的联系码、通过您的 Agent，或作为同群成员。

示例：
  parley contacts code                        您的联系码，交给别人
  parley contacts add K7M2-Q9RX-4TZD          向给您联系码的人发送请求
  parley contacts list                        等您处理的内容与现有联系人
  parley contacts accept Ada
  parley contacts block Mallory`,
  'help.contacts.list': '列出请求、邀请、联系人与已屏蔽的人',
  'help.contacts.list.more': `名字由对方自行填写。

退出码：0 成功，1 未登录或尚未批准，2 用法错误，
3 环境问题（例如 parley chat 正在运行，其中可用 /contacts）。
--json 输出 { contacts, incoming, outgoing, blocked, invitations }。`,
  'help.contacts.code': '显示您的联系码',
  'help.contacts.code.more': `持有它的人只能请求成为您的联系人。

退出码：0 成功，1 未登录，2 用法错误，3 环境问题。
--json 输出 { code, replaced }。`,
  'help.contacts.add': '请求某人成为您的联系人',
  'help.contacts.add.more': `无论是否有此人，回答都一样：只有对方接受时您才会得知结果。

示例：
  parley contacts add https://parley.example/app/contact/K7M2Q9RX4TZD
  parley contacts add --agent 01890a5d-ac96-774b-bcce-b302099a8057

退出码：0 已请求，1 被拒绝，2 不是联系码或 ID，3 环境问题。
--json 输出 { asked, contact }。`,
  'help.contacts.accept': '接受请求或群聊邀请',
  'help.contacts.accept.more': `退出码：0 已接受，1 没有这一项，2 用法错误，3 环境问题。
--json 输出 { id, accepted, conversation_id, joined? }。`,
  'help.contacts.decline': '拒绝请求或邀请；对方不会得到通知',
  'help.contacts.decline.more': `对方 30 天内无法再次向您请求。已接受的邀请，在您尚未加入群聊时可以撤回。

退出码：0 已拒绝，1 没有这一项，2 用法错误，3 环境问题。
--json 输出 { id, declined }。`,
  'help.contacts.block': '屏蔽某人；对方不会得到通知',
  'help.contacts.block.more': `对方写的内容不会送达，之后也不会补发；
在群聊中，对方及其 Agent 写的内容会被隐藏。
对方无法把您加入群聊，双方也不再使用彼此的 Agent，
双方此前的请求、邀请和接受都不再有效。
对方不会得到通知，但若有意尝试，仍可能察觉。

退出码：0 已屏蔽，1 没有此人，2 用法错误，3 环境问题。
--json 输出 { user_id, blocked }。`,
  'help.contacts.unblock': '解除屏蔽',
  'help.contacts.unblock.more': `退出码：0 已解除，1 没有此人，2 用法错误，3 环境问题。
--json 输出 { user_id, blocked }。`,
  'help.option.replace_code': '生成新的联系码；旧的随即失效',
  'help.option.ask_owner': '请求此 Agent 的所有者',
  'help.option.ask_member': '请求同群中的某人（账户 ID）',
  'help.argument.contact_code': '联系码，或包含联系码的链接',
  'help.argument.contact_who': '名字、ID 或其开头部分',
  'chat.help.contacts': '请求、邀请、联系人与已屏蔽的人',
  'chat.help.ask': '请求某人成为您的联系人',
  'chat.help.accept': '接受请求或邀请',
  'chat.help.decline': '拒绝；对方不会得到通知',
  'chat.help.block': '屏蔽某人；对方不会得到通知',
  'chat.help.unblock': '解除屏蔽',
};
