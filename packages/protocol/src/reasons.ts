import type { Texts } from '@parley/base';
import { ERRORS } from './errors.ts';

/** Why a tool call was denied (TC-4), as it stands on the wire. */
export const DENIED_REASONS = {
  user_refused: { en: 'The user refused.', 'zh-CN': '用户拒绝了此次调用。' },
  scope_not_granted: {
    en: 'The user has not granted the permission scope of this tool.',
    'zh-CN': '用户未授予该工具所需的权限范围。',
  },
  tool_not_declared: {
    en: 'The capability manifest does not declare this tool.',
    'zh-CN': '能力清单中没有声明该工具。',
  },
  user_timeout: { en: 'The user did not answer in time.', 'zh-CN': '用户未在规定时间内作出回应。' },
  tool_not_supported_in_group: { en: 'Tools cannot be called in a group.', 'zh-CN': '群聊中不能调用工具。' },
  permission_revoked: {
    en: 'The user has taken back the permission scope of this tool.',
    'zh-CN': '用户已撤回该工具所需的权限范围。',
  },
} as const satisfies Record<string, Texts>;

/** Why a tool call failed (TC-5), as it stands on the wire: `error.reason` and `error_code`. */
export const ERROR_REASONS = {
  TOOL_PLATFORM_ERROR: ERRORS.TOOL_PLATFORM_ERROR.text,
  TOOL_INVALID_ARGUMENTS: ERRORS.TOOL_INVALID_ARGUMENTS.text,
  TOOL_UNAVAILABLE: ERRORS.TOOL_UNAVAILABLE.text,
  tool_timeout: { en: 'The tool did not finish in time.', 'zh-CN': '工具未能在规定时间内完成。' },
} as const satisfies Record<string, Texts>;

export type DeniedReason = keyof typeof DENIED_REASONS;
export type ErrorReason = keyof typeof ERROR_REASONS;
