import { createErrorFactory, type ErrorTable } from '@parley/base';

/** What goes wrong on this side of the wire. What the server says has its codes in the protocol. */
export const ERRORS = {
  UNREACHABLE: {
    retry: true,
    text: {
      en: 'Can’t reach the server. Check the address and your network.',
      'zh-CN': '无法连接服务器，请检查地址和网络。',
    },
  },
  REPLY_INVALID: {
    retry: false,
    text: {
      en: 'The server’s answer makes no sense to this program. Update the program, or tell the server’s operator.',
      'zh-CN': '无法理解服务器的回复。请更新本程序，或联系服务器的运营者。',
    },
  },
  IDENTITY_CHANGED: {
    retry: false,
    text: {
      en: 'The other side’s keys have changed. Compare the safety number and accept the new key before you write.',
      'zh-CN': '对方的密钥已变更。请先比对安全码并接受新密钥，再发送消息。',
    },
  },
  OWN_IDENTITY: {
    retry: false,
    text: {
      en: 'The server sent a device list for your account that isn’t yours. It was ignored, and your own list still counts. Tell the server’s operator.',
      'zh-CN': '服务器发来的设备列表不是您的设备签名的，已被忽略，您自己的列表继续有效。请联系服务器的运营者。',
    },
  },
  CONVERSATION_CHANGED: {
    retry: false,
    text: {
      en: 'The server lists other people in this conversation than before. Don’t trust it, and tell the server’s operator.',
      'zh-CN': '服务器列出的此会话的成员与以前不同。请勿信任，并联系服务器的运营者。',
    },
  },
  LIST_FORKED: {
    retry: false,
    text: {
      en: 'There are two versions of this account’s device list. Someone may have a copy of its key. Its owner has to settle it with the recovery secret. Until then, nothing is sent.',
      'zh-CN':
        '该账户的设备列表有两个版本，可能有人持有其密钥的副本。需由账户所有者用恢复密钥处理。在此之前，不会发送任何内容。',
    },
  },
  WITHHELD: {
    retry: true,
    text: {
      en: 'The server is holding back who is in this conversation or which devices someone has. Nothing is sent until it stops. Tell the server’s operator.',
      'zh-CN':
        '服务器没有提供此会话的全部信息：其中有谁，或某人有哪些设备。在此期间，不会发送任何内容。请联系服务器的运营者。',
    },
  },
  GROUP_UNSIGNED: {
    retry: true,
    text: {
      en: 'Nobody has confirmed yet who is in this group, so nothing can be sent. Its owner has to confirm the members.',
      'zh-CN': '还没有人确认此群的成员，因此无法发送内容。请由群主确认成员。',
    },
  },
  WEAKER_MODE: {
    retry: false,
    text: {
      en: 'The agent switched to weaker encryption. Agree to it before you write.',
      'zh-CN': '该 Agent 改用了较弱的加密方式。请先同意，再发送消息。',
    },
  },
  NO_RECIPIENT: {
    retry: true,
    text: {
      en: 'Nobody else in this conversation has keys yet, so nobody could read your message. Try again once they have connected.',
      'zh-CN': '会话中的其他成员还没有密钥，无人能读取消息。请等对方连接过一次后再试。',
    },
  },
  KEYSTORE_MISMATCH: {
    retry: false,
    text: {
      en: 'The server knows other keys for this agent than those in this keystore. Use the keystore it was set up with, or replace its identity on purpose. Everyone who talks to it is then warned.',
      'zh-CN':
        '服务器记录的该 Agent 密钥与此密钥库不同。请使用最初的密钥库，或明确地更换身份；此后与它交谈的每个人都会收到警告。',
    },
  },
  KEYSTORE_FOREIGN: {
    retry: false,
    text: {
      en: 'This keystore belongs to someone else. Give each agent and each device its own.',
      'zh-CN': '此密钥库属于其他身份。请为每个 Agent 和设备使用各自的密钥库。',
    },
  },
  KEYSTORE_EMPTY: {
    retry: false,
    text: {
      en: 'This keystore has no keys for this device. Register the device first.',
      'zh-CN': '此密钥库中没有该设备的密钥，请先注册设备。',
    },
  },
  CLOSED: {
    retry: false,
    text: {
      en: 'The messenger was closed. Messages that were already encrypted are kept and sent next time.',
      'zh-CN': '消息通道已关闭。已加密的消息会保留，下次启动时发送。',
    },
  },
  OUTBOX_FULL: {
    retry: true,
    text: {
      en: 'Too many messages are waiting to be sent. Wait until some of them are.',
      'zh-CN': '等待发送的消息过多，请稍候。',
    },
  },
  LEDGER_BROKEN: {
    retry: false,
    text: {
      en: 'The record of what was allowed can’t be verified, so everything in it is off. Remove the agent and add it again.',
      'zh-CN': '授权记录无法验证，其中的权限均已关闭。请移除该 Agent 后重新添加。',
    },
  },
  STORE_HELD: {
    retry: true,
    text: {
      en: 'The keystore {location} is in use by process {pid} on {host}. Two processes on one keystore would break its encryption: stop that process, or give each its own keystore.',
      'zh-CN':
        '密钥库 {location} 正被 {host} 上的进程 {pid} 使用。两个进程共用一个密钥库会破坏加密：请停止该进程，或让每个进程使用各自的密钥库。',
    },
  },
  STORE_BUSY: {
    retry: true,
    text: {
      en: 'The keystore {location} is already open, in another tab or window or elsewhere in this program. Close it there and try again.',
      'zh-CN': '密钥库 {location} 已在另一个标签页、窗口或本程序的其他位置打开。请在那里关闭后重试。',
    },
  },
  STORE_LOST: {
    retry: false,
    text: {
      en: 'The keystore {location} was taken over by someone else. Nothing more is written here: open it again.',
      'zh-CN': '密钥库 {location} 已被其他进程或标签页接管，此处不再写入：请重新打开。',
    },
  },
  STORE_EXPOSED: {
    retry: false,
    text: {
      en: 'Others on this machine can reach {location}, which holds private keys. Run: chmod {mode} {location}',
      'zh-CN': '本机其他用户可以访问 {location}，其中存有私钥。请运行：chmod {mode} {location}',
    },
  },
  STORE_NOT_OURS: {
    retry: false,
    text: {
      en: '{location} isn’t a keystore. Choose an empty folder, or one that a keystore made.',
      'zh-CN': '{location} 不是密钥库。请选择一个空文件夹，或由密钥库创建的文件夹。',
    },
  },
  STORE_DAMAGED: {
    retry: false,
    text: {
      en: 'The keystore {location} is damaged, and not merely at its end as after a crash. Restore it from a backup, or begin a new one.',
      'zh-CN': '密钥库 {location} 已损坏，且并非崩溃后仅末尾不完整。请从备份恢复，或新建一个。',
    },
  },
  STORE_FAILED: {
    retry: false,
    text: {
      en: 'Can’t write to the keystore {location} ({reason}). Make room or repair the disk, then open it again.',
      'zh-CN': '无法写入密钥库 {location}（{reason}）。请清理空间或修复磁盘，然后重新打开。',
    },
  },
  STORE_FULL: {
    retry: true,
    text: {
      en: 'There’s no space left for the keystore {location}. Make room on the disk. It then continues without a restart.',
      'zh-CN': '密钥库 {location} 所在磁盘已满。请清理空间；之后会自行继续，无需重启。',
    },
  },
  STORE_CLOSED: {
    retry: false,
    text: {
      en: 'The keystore {location} was closed. Open it again.',
      'zh-CN': '密钥库 {location} 已关闭，请重新打开。',
    },
  },
  BACKUP_FORMAT: {
    retry: false,
    text: {
      en: 'This isn’t a Parley backup, or it’s incomplete. Choose the file that the export made.',
      'zh-CN': '这不是 Parley 的备份，或内容不完整。请选择导出时生成的文件。',
    },
  },
  BACKUP_VERSION: {
    retry: false,
    text: {
      en: 'This backup has version {version}, but this program reads version {known}. Update the program.',
      'zh-CN': '此备份的版本为 {version}；本程序只能读取版本 {known}。请更新程序。',
    },
  },
  BACKUP_REFUSED: {
    retry: false,
    text: {
      en: 'The passphrase is wrong, or the backup was changed.',
      'zh-CN': '密码短语不正确，或备份被改动过。',
    },
  },
  BACKUP_WEAK: {
    retry: false,
    text: {
      en: 'The passphrase is too short. It’s all that protects your keys: use at least {length} characters.',
      'zh-CN': '密码短语太短。它是密钥的唯一保护，请使用至少 {length} 个字符。',
    },
  },
  BACKUP_TARGET: {
    retry: false,
    text: {
      en: 'The keystore already holds keys. Restore into an empty one.',
      'zh-CN': '密钥库中已有密钥。请恢复到空的密钥库中。',
    },
  },
} as const satisfies ErrorTable;

export type MessengerErrorCode = keyof typeof ERRORS;

/** Params hold no value of the store. */
export const messengerError = createErrorFactory(ERRORS);
