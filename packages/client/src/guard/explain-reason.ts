import type { Locale, Texts } from '@parley/base';
import { displayText } from '@parley/documents';
import { type DeniedReason, ERROR_REASONS, type ErrorReason } from '@parley/protocol';

/** The sentences for the person whose device decided; those in `protocol` are written for the agent. */
const TEXTS: Readonly<Record<DeniedReason | ErrorReason, Texts>> = {
  user_refused: { en: 'You denied this.', 'zh-CN': '你拒绝了此次调用。' },
  user_timeout: { en: 'You did not answer in time.', 'zh-CN': '你未在规定时间内作出回应。' },
  scope_not_granted: { en: 'You have not granted this permission.', 'zh-CN': '你未授予此权限。' },
  permission_revoked: { en: 'You revoked this permission.', 'zh-CN': '你已撤回此权限。' },
  tool_not_declared: {
    en: 'The agent’s manifest does not declare this tool.',
    'zh-CN': '该 Agent 的能力清单中没有声明此工具。',
  },
  tool_not_supported_in_group: { en: 'Tools cannot be called in a group.', 'zh-CN': '群聊中不能调用工具。' },
  TOOL_INVALID_ARGUMENTS: {
    en: 'The agent sent arguments that the tool does not accept.',
    'zh-CN': '该 Agent 给出的参数不符合此工具的要求。',
  },
  TOOL_PLATFORM_ERROR: ERROR_REASONS.TOOL_PLATFORM_ERROR,
  TOOL_UNAVAILABLE: ERROR_REASONS.TOOL_UNAVAILABLE,
  tool_timeout: ERROR_REASONS.tool_timeout,
};

/** Says to the person why a tool call did not succeed. Other devices may send a reason that is not in the table. */
export function explainReason(reason: string, locale: Locale, fallback = reason): string {
  return Object.hasOwn(TEXTS, reason) ? TEXTS[reason as DeniedReason | ErrorReason][locale] : displayText(fallback);
}
