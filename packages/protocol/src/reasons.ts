import type { Texts } from '@parley/base';
import { ERRORS } from './errors.ts';

/** Why a tool call was denied (TC-4), as it stands on the wire. */
export const DENIED_REASONS = {
  user_refused: { en: 'The user denied this call.', 'zh-CN': '用户已拒绝此次调用。' },
  scope_not_granted: {
    en: 'The user hasn’t granted this tool’s permission.',
    'zh-CN': '用户没有授予此工具所需的权限。',
  },
  tool_not_declared: {
    en: 'The capability manifest doesn’t declare this tool.',
    'zh-CN': '能力清单中没有声明此工具。',
  },
  user_timeout: { en: 'The user didn’t answer in time.', 'zh-CN': '用户没有及时答复。' },
  tool_not_supported_in_group: { en: 'Tools can’t be used in groups.', 'zh-CN': '群聊中不能使用工具。' },
  permission_revoked: {
    en: 'The user has turned off this tool’s permission.',
    'zh-CN': '用户已关闭此工具所需的权限。',
  },
} as const satisfies Record<string, Texts>;

/** Why a tool call failed (TC-5), as it stands on the wire: `error.reason` and `error_code`. */
export const ERROR_REASONS = {
  TOOL_PLATFORM_ERROR: ERRORS.TOOL_PLATFORM_ERROR.text,
  TOOL_INVALID_ARGUMENTS: ERRORS.TOOL_INVALID_ARGUMENTS.text,
  TOOL_UNAVAILABLE: ERRORS.TOOL_UNAVAILABLE.text,
  tool_timeout: { en: 'The tool didn’t finish in time.', 'zh-CN': '工具没有及时完成。' },
} as const satisfies Record<string, Texts>;

export type DeniedReason = keyof typeof DENIED_REASONS;
export type ErrorReason = keyof typeof ERROR_REASONS;
