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
  user_refused: { en: 'You denied this.', 'zh-CN': '你拒绝了此次调用。' },
  user_timeout: { en: 'You did not answer in time.', 'zh-CN': '你未在规定时间内作出回应。' },
  scope_not_granted: { en: 'You have not granted this permission.', 'zh-CN': '你未授予此权限。' },
  permission_revoked: { en: 'You revoked this permission.', 'zh-CN': '你已撤回此权限。' },
  tool_not_declared: {
    en: 'The agent’s manifest does not declare this tool.',
    'zh-CN': '该 Agent 的能力清单中没有声明此工具。',
  },
  TOOL_INVALID_ARGUMENTS: {
    en: 'The agent sent arguments that the tool does not accept.',
    'zh-CN': '该 Agent 给出的参数不符合此工具的要求。',
  },
};
const TEXTS: Readonly<Record<string, Texts>> = { ...DENIED_REASONS, ...ERROR_REASONS, ...FOR_PERSON };

/** Says to the person why a tool call did not succeed. Other devices may send a reason that is not in the table. */
export function explainReason(reason: string, locale: Locale, fallback = reason): string {
  return Object.hasOwn(TEXTS, reason) ? TEXTS[reason]![locale] : displayText(fallback);
}

/** Of what was refused for a while (CG-14), the person was not asked. */
const FOR_A_WHILE: ReadonlyMap<string, Texts> = new Map([
  ['user_refused', { en: 'You do not want to be asked by this agent for now.', 'zh-CN': '你已让该 Agent 暂停询问。' }],
  [
    'user_timeout',
    {
      en: 'Too many questions of this agent were waiting, so you were not asked.',
      'zh-CN': '该 Agent 等待中的询问过多，因此没有再询问你。',
    },
  ],
]);

/** The same for the whole answer. */
export function explainResponse({ reason, error_code, retry_after_ms }: ToolResponse, locale: Locale): string {
  const told = reason ?? error_code ?? '';
  const texts = retry_after_ms === undefined ? undefined : FOR_A_WHILE.get(told);
  return texts?.[locale] ?? explainReason(told, locale);
}
