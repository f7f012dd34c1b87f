import type { Locale, Texts } from '@parley/base';
import { displayText } from '@parley/documents';
import {
  DENIED_REASONS,
  type DeniedReason,
  ERROR_REASONS,
  type ErrorReason,
  type ToolResponse,
} from '@parley/protocol';

/** Those in `protocol` are written for the agent. Where they speak about the user, the person reads these instead. */
const FOR_PERSON: Partial<Record<DeniedReason | ErrorReason, Texts>> = {
  user_refused: { en: 'You denied this.', 'zh-CN': '您已拒绝。' },
  user_timeout: { en: 'You didn’t answer in time, so it was denied.', 'zh-CN': '您没有及时答复，因此已拒绝。' },
  scope_not_granted: { en: 'You haven’t allowed this.', 'zh-CN': '您没有授予此权限。' },
  permission_revoked: { en: 'You turned this permission off.', 'zh-CN': '您已关闭此权限。' },
  tool_not_declared: {
    en: 'The agent asked for something it never said it can do.',
    'zh-CN': '此 Agent 的能力清单中没有此工具。',
  },
  TOOL_INVALID_ARGUMENTS: {
    en: 'The agent sent values this tool doesn’t accept.',
    'zh-CN': '此 Agent 发来的参数不符合此工具的要求。',
  },
};
const TEXTS: Readonly<Record<string, Texts>> = { ...DENIED_REASONS, ...ERROR_REASONS, ...FOR_PERSON };

/** Says to the person why a tool call did not succeed. Other devices may send a reason that is not in the table. */
export function explainReason(reason: string, locale: Locale, fallback = reason): string {
  return Object.hasOwn(TEXTS, reason) ? TEXTS[reason]![locale] : displayText(fallback);
}

/** What the agent reads of a call that nobody could have been asked about in time (CG-14). */
export const TOO_LATE =
  'The call has too little time left for the user to be asked. Call again after retry_after_ms, with a later expires_at and a new call_id.';
const TOO_LATE_FOR_PERSON: Texts = {
  en: 'The agent left you no time to answer, so you weren’t asked.',
  'zh-CN': '此 Agent 没有留出答复的时间，因此没有询问您。',
};

/** Of what was refused for a while (CG-14), the person was not asked. */
const FOR_A_WHILE: ReadonlyMap<string, Texts> = new Map([
  ['user_refused', { en: 'You paused questions from this agent.', 'zh-CN': '您已让此 Agent 暂停询问。' }],
  [
    'user_timeout',
    {
      en: 'Too many questions from this agent were waiting, so you weren’t asked.',
      'zh-CN': '此 Agent 等待答复的询问过多，因此没有再询问您。',
    },
  ],
]);

/** The same for the whole answer. */
export function explainResponse({ reason, error_code, message, retry_after_ms }: ToolResponse, locale: Locale): string {
  if (message === TOO_LATE) return TOO_LATE_FOR_PERSON[locale];
  const told = reason ?? error_code ?? '';
  const texts = retry_after_ms === undefined ? undefined : FOR_A_WHILE.get(told);
  return texts?.[locale] ?? explainReason(told, locale);
}
