import type { Locale } from '@parley/base';
import { type NetworkFailure, networkText } from '@parley/protocol';
import { ApiError } from './api/api.ts';

/** What goes wrong on this side of the wire. What the server says has its codes in the protocol. */
const TEXTS = {
  UNREACHABLE: {
    en: 'The server cannot be reached. Check the address and the network.',
    'zh-CN': '无法连接服务器，请检查地址和网络。',
  },
  REPLY_INVALID: {
    en: 'The server answered something that its contract does not allow. Update this program, or ask who runs the server.',
    'zh-CN': '服务器的回复不符合约定。请更新本程序，或联系服务器的运营者。',
  },
  IDENTITY_CHANGED: {
    en: 'The keys of the other side have changed. Compare the safety number and accept the new key before writing.',
    'zh-CN': '对方的密钥已变更。请先核对安全码并接受新密钥，再发送消息。',
  },
  CONVERSATION_CHANGED: {
    en: 'The server names others in this conversation of two than before, or in place of someone. Do not trust it; ask who runs the server.',
    'zh-CN': '服务器声称此双人会话中有其他成员，或成员被替换。请勿信任，并联系服务器的运营者。',
  },
  WEAKER_MODE: {
    en: 'The agent went over to a weaker kind of encryption. Agree to it before writing.',
    'zh-CN': '该 Agent 改用了较弱的加密方式。请先同意，再发送消息。',
  },
  NO_RECIPIENT: {
    en: 'Nobody else in this conversation has keys yet, so nobody could read it. Try again when they have connected once.',
    'zh-CN': '会话中其他成员尚无密钥，无人能够读取。请等对方至少连接一次后再试。',
  },
  KEYSTORE_MISMATCH: {
    en: 'The server knows this agent by other keys than those in this keystore. Use the keystore it was set up with, or replace its identity on purpose; everyone who talks to it will then be warned.',
    'zh-CN':
      '服务器记录的该 Agent 密钥与此密钥库不同。请使用最初的密钥库，或明确地更换身份；此后与它交谈的每个人都会收到警告。',
  },
  KEYSTORE_FOREIGN: {
    en: 'This keystore belongs to someone else. Give each agent and each device its own.',
    'zh-CN': '此密钥库属于其他身份。请为每个 Agent 和设备使用各自的密钥库。',
  },
  KEYSTORE_EMPTY: {
    en: 'This keystore holds no keys of the device. Register the device first.',
    'zh-CN': '此密钥库中没有该设备的密钥，请先注册设备。',
  },
  CLOSED: {
    en: 'The messenger was closed. What it had sealed is kept and will be sent next time.',
    'zh-CN': '消息通道已关闭。已加密的消息会保留，下次启动时发送。',
  },
  OUTBOX_FULL: {
    en: 'Too many messages are waiting to be sent. Wait for some of them.',
    'zh-CN': '等待发送的消息过多，请稍候。',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Locale, string>>>>;

export type LocalCode = keyof typeof TEXTS;

export const isLocalCode = (code: string): code is LocalCode => Object.hasOwn(TEXTS, code);

export function failure(
  code: LocalCode,
  why: { network?: NetworkFailure | undefined; cause?: unknown } = {},
): ApiError {
  const message = explainFailure({ code, network: why.network }, 'en')!;
  return new ApiError({ status: 0, code, message, ...why });
}

/** The sentence for a person, for a code that is not the server's. */
export function explainFailure(
  { code, network }: { readonly code: string; readonly network?: NetworkFailure | undefined },
  locale: Locale,
): string | undefined {
  if (!isLocalCode(code)) return undefined;
  const [text, why] = [TEXTS[code][locale], network && networkText(network, locale)];
  return why === undefined ? text : `${text}${locale === 'en' ? ' ' : ''}${why}`;
}

/** Will the same request do later, without anyone changing it? */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'UNREACHABLE' || (error.status >= 502 && error.status <= 504));
}
