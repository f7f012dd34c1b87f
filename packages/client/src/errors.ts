import { createErrorFactory, type ErrorTable } from '@parley/base';
import { MESSENGER_ERRORS } from '@parley/messenger';
import { ERRORS as WIRE_ERRORS } from '@parley/protocol/errors';

/** What goes wrong on the device itself. What the server says has its codes in the protocol. */
export const ERRORS = {
  SIGNED_OUT: {
    retry: false,
    text: {
      en: 'Sign in first.',
      'zh-CN': '请先登录。',
    },
  },
  SIGNED_IN: {
    retry: false,
    text: {
      en: 'Someone is signed in already. Sign out first.',
      'zh-CN': '已有用户登录，请先退出。',
    },
  },
  DEVICE_WAITS: {
    retry: false,
    text: {
      en: 'This device is waiting for approval. Approve it on another device of the account, or use the recovery secret.',
      'zh-CN': '此设备正在等待批准：请在账户的另一台设备上批准，或使用恢复密钥。',
    },
  },
  OTHER_ACCOUNT: {
    retry: false,
    text: {
      en: 'This device keeps the keys of another account. Sign in to that account, or remove it from this device first.',
      'zh-CN': '此设备保存着另一个账户的密钥。请登录该账户，或先将其从此设备移除。',
    },
  },
  ACCOUNT_KEY_MISSING: {
    retry: false,
    text: {
      en: 'This device does not keep the account key. Use a device that does, or make this one a keeper there.',
      'zh-CN': '此设备不保管账户密钥。请使用保管密钥的设备，或先在那里将此设备设为保管设备。',
    },
  },
  ACCOUNT_KEY_WRONG: {
    retry: false,
    text: {
      en: 'This recovery secret does not belong to this account. Use the one that was made for it.',
      'zh-CN': '该恢复密钥不属于此账户，请使用为此账户创建的恢复密钥。',
    },
  },
  RECOVERY_SECRET: {
    retry: false,
    text: {
      en: 'This is not a recovery secret: a letter is missing, too many, or was read as another. Compare it with what you wrote down.',
      'zh-CN': '这不是有效的恢复密钥：缺少字符、多了字符，或有字符认错。请与你记下的内容核对。',
    },
  },
  ACCOUNT_TAKEN: {
    retry: false,
    text: {
      en: 'The server names other keys for the account that was just made here. Do not use it: ask who runs the server.',
      'zh-CN': '服务器为刚在此创建的账户给出了其他密钥。请勿使用，并联系服务器的运营者。',
    },
  },
  LIST_REFUSED: {
    retry: true,
    text: {
      en: 'The server does not show the list of your devices as it was signed, so nothing was changed. Try again; if it stays so, ask who runs the server.',
      'zh-CN': '服务器给出的设备列表与签名的不一致，因此未做任何更改。请重试；若仍如此，请联系服务器的运营者。',
    },
  },
  DEVICE_CODE: {
    retry: false,
    text: {
      en: 'The code does not match the one that the new device shows. Do not approve it: its keys may have been replaced on the way.',
      'zh-CN': '该代码与新设备显示的不一致。请勿批准：其密钥可能在途中被替换。',
    },
  },
  UNKNOWN_DEVICE: {
    retry: false,
    text: {
      en: 'There is no such device.',
      'zh-CN': '没有这台设备。',
    },
  },
  MEMBERS_CHANGED: {
    retry: false,
    text: {
      en: 'The members or the title have changed since you looked. Look again, and confirm what you see then.',
      'zh-CN': '你查看之后，成员或标题已有变化。请重新查看，再确认你看到的内容。',
    },
  },
  UNKNOWN_RELATION: {
    retry: false,
    text: {
      en: 'You have not added this agent.',
      'zh-CN': '你没有添加这个 Agent。',
    },
  },
  UNKNOWN_MESSAGE: {
    retry: false,
    text: {
      en: 'There is no such message here.',
      'zh-CN': '这里没有这条消息。',
    },
  },
  MANIFEST_FORGED: {
    retry: false,
    text: {
      en: 'The server sent a capability manifest that differs from the one it announced, so it is not used. Tell the operator of the server.',
      'zh-CN': '服务器给出的能力清单与其公布的不符，已拒绝使用。请联系服务器的运营者。',
    },
  },
  MANIFEST_MISSING: {
    retry: true,
    text: {
      en: 'The capability manifest of the agent could not be loaded. Try again when you are online.',
      'zh-CN': '暂时无法取得该 Agent 的能力清单。请在有网络连接时重试。',
    },
  },
  LINK_INVALID: {
    retry: false,
    text: {
      en: 'This is not a link to an agent. Copy the whole link and try again.',
      'zh-CN': '这不是 Agent 链接。请复制完整的链接后重试。',
    },
  },
  IDENTITY_UNTRUSTED: {
    retry: false,
    text: {
      en: 'The keys of the agent cannot be trusted: they are missing, they have changed, or they do not match the link. Ask the person who gave you the link for a new one.',
      'zh-CN': '无法信任该 Agent 的密钥：密钥缺失、已变更，或与链接不符。请向提供链接的人索取新的链接。',
    },
  },
  LEDGER_WITHHELD: {
    retry: true,
    text: {
      en: '{device} knows more about what you allowed this agent than the server shows here. Nothing can be allowed here until it does: use {device}, or ask who runs the server.',
      'zh-CN':
        '关于你对这个 Agent 的授权，{device} 知道的比服务器在这里出示的更多。在服务器出示之前，这里无法授予任何权限：请使用 {device}，或联系服务器的运营者。',
    },
  },
  LIST_ENDLESS: {
    retry: false,
    text: {
      en: 'The server sends the same page of a list again and again, or pages without end. Tell the operator of the server.',
      'zh-CN': '服务器反复返回列表的同一页，或返回的页没有尽头。请联系服务器的运营者。',
    },
  },
  CARD_GONE: {
    retry: false,
    text: {
      en: 'This card cannot be answered any more.',
      'zh-CN': '无法再回复此卡片。',
    },
  },
} as const satisfies ErrorTable;

/** The server refuses a consent to an old manifest with the same code, when this device did not notice it first. */
const { MANIFEST_CHANGED } = WIRE_ERRORS;
/** A forked list is found by the messenger, too. */
const { LIST_FORKED } = MESSENGER_ERRORS;

export const clientError = createErrorFactory({ ...ERRORS, MANIFEST_CHANGED, LIST_FORKED });
