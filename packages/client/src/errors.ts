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
      en: 'Someone is already signed in. Sign out first.',
      'zh-CN': '已有用户登录，请先退出。',
    },
  },
  DEVICE_WAITS: {
    retry: false,
    text: {
      en: 'This device needs approval. Approve it on another device of yours, or use your recovery secret.',
      'zh-CN': '此设备正在等待批准。请在您的另一台设备上批准，或使用恢复密钥。',
    },
  },
  OTHER_ACCOUNT: {
    retry: false,
    text: {
      en: 'This device has the keys of another account. Sign in to that account, or remove it from this device first.',
      'zh-CN': '此设备保存着另一个账户的密钥。请登录该账户，或先将其从此设备移除。',
    },
  },
  ACCOUNT_KEY_MISSING: {
    retry: false,
    text: {
      en: 'This device isn’t a keeper. Use a keeper, or make this device one there.',
      'zh-CN': '此设备不是保管设备。请使用保管设备，或先在那里将此设备设为保管设备。',
    },
  },
  ACCOUNT_KEY_WRONG: {
    retry: false,
    text: {
      en: 'This recovery secret belongs to another account. Use the one you saved for this account.',
      'zh-CN': '此恢复密钥属于另一个账户。请使用您为此账户保存的恢复密钥。',
    },
  },
  RECOVERY_SECRET: {
    retry: false,
    text: {
      en: 'This isn’t a recovery secret: a character is missing, too many or mistyped. Compare it with the one you saved.',
      'zh-CN': '这不是有效的恢复密钥：缺少字符、多了字符，或有字符输错。请与您保存的恢复密钥核对。',
    },
  },
  ACCOUNT_TAKEN: {
    retry: false,
    text: {
      en: 'The server shows other keys for the account you just created. Don’t use it, and tell the server’s operator.',
      'zh-CN': '服务器为您刚创建的账户提供了其他密钥。请勿使用此账户，并联系服务器的运营者。',
    },
  },
  LIST_REFUSED: {
    retry: true,
    text: {
      en: 'The server’s list of your devices doesn’t match the signed one, so nothing was changed. Try again. If this doesn’t go away, tell the server’s operator.',
      'zh-CN': '服务器提供的设备列表与签名的不一致，因此没有做任何更改。请重试。如果仍然如此，请联系服务器的运营者。',
    },
  },
  DEVICE_CODE: {
    retry: false,
    text: {
      en: 'The code doesn’t match the one on the new device. If you typed it right, don’t approve the device: someone may have replaced its keys.',
      'zh-CN': '此代码与新设备上显示的不一致。如果输入无误，请勿批准该设备：它的密钥可能已被替换。',
    },
  },
  UNKNOWN_DEVICE: {
    retry: false,
    text: {
      en: 'This device doesn’t exist.',
      'zh-CN': '此设备不存在。',
    },
  },
  MEMBERS_CHANGED: {
    retry: false,
    text: {
      en: 'The members or the name have changed since you looked. Look again, then confirm.',
      'zh-CN': '您查看之后，成员或群名称已有变化。请重新查看后再确认。',
    },
  },
  UNKNOWN_RELATION: {
    retry: false,
    text: {
      en: 'You haven’t added this agent.',
      'zh-CN': '您没有添加此 Agent。',
    },
  },
  UNKNOWN_MESSAGE: {
    retry: false,
    text: {
      en: 'This message doesn’t exist here.',
      'zh-CN': '此消息不存在。',
    },
  },
  MANIFEST_FORGED: {
    retry: false,
    text: {
      en: 'What the server says this agent can do isn’t what it announced, so it was ignored. Tell the server’s operator.',
      'zh-CN': '服务器提供的能力清单与其公布的不符，已被忽略。请联系服务器的运营者。',
    },
  },
  MANIFEST_MISSING: {
    retry: true,
    text: {
      en: 'Couldn’t load what this agent can do. Try again when you’re online.',
      'zh-CN': '无法载入此 Agent 的能力清单。请在有网络连接时重试。',
    },
  },
  LINK_INVALID: {
    retry: false,
    text: {
      en: 'This isn’t a link to an agent. Copy the whole link and try again.',
      'zh-CN': '这不是 Agent 链接。请复制完整的链接后重试。',
    },
  },
  IDENTITY_UNTRUSTED: {
    retry: false,
    text: {
      en: 'This agent’s keys can’t be trusted: they’re missing, have changed, or don’t match the link. Ask the person who gave you the link for a new one.',
      'zh-CN': '无法信任此 Agent 的密钥：密钥缺失、已变更，或与链接不符。请向提供链接的人索取新的链接。',
    },
  },
  LEDGER_WITHHELD: {
    retry: true,
    text: {
      en: 'Your device “{device}” has newer information about what you allowed this agent than the server is showing here. Until it does, nothing can be allowed here. Use “{device}”, or tell the server’s operator.',
      'zh-CN':
        '您的设备“{device}”有此 Agent 的更新授权信息，而服务器没有提供给此设备。在此期间，此设备无法授予任何权限。请使用“{device}”，或联系服务器的运营者。',
    },
  },
  LIST_ENDLESS: {
    retry: false,
    text: {
      en: 'The server keeps sending the same list without end. Tell the server’s operator.',
      'zh-CN': '服务器不断返回同一列表，没有尽头。请联系服务器的运营者。',
    },
  },
  CARD_GONE: {
    retry: false,
    text: {
      en: 'This card can no longer be answered.',
      'zh-CN': '无法再回复此卡片。',
    },
  },
  SECRET_NOT_KEPT: {
    retry: false,
    text: {
      en: 'This answer had secret values, which aren’t kept. Fill in the card again.',
      'zh-CN': '此回复包含保密内容，系统不会保存。请重新填写卡片。',
    },
  },
} as const satisfies ErrorTable;

/** The server refuses a consent to an old manifest with the same code, when this device did not notice it first. */
const { MANIFEST_CHANGED } = WIRE_ERRORS;
/** A forked list is found by the messenger, too. */
const { LIST_FORKED } = MESSENGER_ERRORS;

export const clientError = createErrorFactory({ ...ERRORS, MANIFEST_CHANGED, LIST_FORKED });
