import type { Locale } from '@parley/base';

/** What goes wrong on the device itself. What the server says has its codes in the protocol. */
const TEXTS = {
  SIGNED_OUT: { en: 'Sign in first.', 'zh-CN': '请先登录。' },
  SIGNED_IN: { en: 'Someone is signed in already. Sign out first.', 'zh-CN': '已有用户登录，请先退出。' },
  DEVICE_WAITS: {
    en: 'This device waits to be approved on another device of the account, or by the recovery secret.',
    'zh-CN': '此设备正在等待：请在账户的另一台设备上批准，或使用恢复密钥。',
  },
  OTHER_ACCOUNT: {
    en: 'This device keeps the keys of another account. Sign in to that one, or forget it first.',
    'zh-CN': '此设备保存着另一个账户的密钥。请登录该账户，或先将其清除。',
  },
  ACCOUNT_KEY_MISSING: {
    en: 'This device does not hold the account key. Use the device that does, or the recovery secret.',
    'zh-CN': '此设备没有账户密钥。请使用持有账户密钥的设备，或使用恢复密钥。',
  },
  ACCOUNT_KEY_WRONG: {
    en: 'This recovery secret is not that of the account.',
    'zh-CN': '该恢复密钥不属于此账户。',
  },
  DEVICE_CODE: {
    en: 'The code is not the one the new device shows. Do not approve it: its keys may have been replaced on the way.',
    'zh-CN': '该代码与新设备显示的不一致。请勿批准：其密钥可能在途中被替换。',
  },
  UNKNOWN_DEVICE: { en: 'There is no such device.', 'zh-CN': '没有这台设备。' },
  UNKNOWN_RELATION: { en: 'There is no such agent among yours.', 'zh-CN': '你没有添加这个 Agent。' },
  UNKNOWN_MESSAGE: { en: 'There is no such message here.', 'zh-CN': '这里没有这条消息。' },
  MANIFEST_FORGED: {
    en: 'The manifest that the server shows is not the one it announced. Nothing of it is used; tell who runs the server.',
    'zh-CN': '服务器给出的能力清单与其公布的不符，已拒绝使用。请联系服务器的运营者。',
  },
  MANIFEST_MISSING: {
    en: 'The capability manifest of the agent could not be had. Try again when there is a connection.',
    'zh-CN': '暂时无法取得该 Agent 的能力清单。请在有网络连接时重试。',
  },
  MANIFEST_CHANGED: {
    en: 'The agent changed its capability manifest after you read it. Read the new one before you agree.',
    'zh-CN': '在你阅读之后，该 Agent 更改了能力清单。请先阅读新的清单再授权。',
  },
  LEDGER_BROKEN: {
    en: 'The record of what you granted does not verify, so nothing of it counts. Remove the agent and add it again.',
    'zh-CN': '授权记录未通过验证，其中的授权均不生效。请移除该 Agent 后重新添加。',
  },
  LINK_INVALID: { en: 'This is no link to an agent.', 'zh-CN': '这不是 Agent 链接。' },
  IDENTITY_UNTRUSTED: {
    en: 'The keys of the agent cannot be trusted: they are missing, changed, or not the ones of the link.',
    'zh-CN': '无法信任该 Agent 的密钥：密钥缺失、已变更，或与链接不符。',
  },
  CARD_GONE: { en: 'This card cannot be answered.', 'zh-CN': '无法回复此卡片。' },
} as const satisfies Readonly<Record<string, Readonly<Record<Locale, string>>>>;

export type ClientCode = keyof typeof TEXTS;

/** Told apart by `code`. */
export class ClientFailure extends Error {
  readonly code: ClientCode;

  constructor(code: ClientCode, options: { cause?: unknown } = {}) {
    super(TEXTS[code].en, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ClientFailure';
    this.code = code;
  }
}

/** The sentence for a person; undefined for a code that is not this package's. */
export function explainClientFailure(code: string, locale: Locale): string | undefined {
  return Object.hasOwn(TEXTS, code) ? TEXTS[code as ClientCode][locale] : undefined;
}
