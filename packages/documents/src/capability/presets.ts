import type { Locale } from '@parley/base';
import { type PermissionScope, SENSITIVITIES, type Sensitivity } from './manifest.ts';

export interface PresetScope {
  readonly sensitivity: Sensitivity;
  readonly label: Readonly<Record<Locale, string>>;
  readonly description: Readonly<Record<Locale, string>>;
}

/** The scopes that every client knows, with texts that no manifest can replace (CM-11). */
export const PRESET_SCOPES: ReadonlyMap<string, PresetScope> = new Map<string, PresetScope>([
  [
    'notification:send',
    {
      sensitivity: 'low',
      label: { en: 'Send notifications', 'zh-CN': '发送通知' },
      description: {
        en: 'Shows notifications on this device.',
        'zh-CN': '在此设备上显示通知。',
      },
    },
  ],
  [
    'filesystem:read',
    {
      sensitivity: 'medium',
      label: { en: 'Read local files', 'zh-CN': '读取本地文件' },
      description: {
        en: 'Reads files on this device and sends their content to the agent.',
        'zh-CN': '读取此设备上的文件，并把内容发送给 Agent。',
      },
    },
  ],
  [
    'clipboard:read',
    {
      sensitivity: 'medium',
      label: { en: 'Read the clipboard', 'zh-CN': '读取剪贴板' },
      description: {
        en: 'Reads what you last copied, passwords included, and sends it to the agent.',
        'zh-CN': '读取您最近复制的内容（可能包括密码），并发送给 Agent。',
      },
    },
  ],
  [
    'location:read',
    {
      sensitivity: 'high',
      label: { en: 'Read your location', 'zh-CN': '读取您的位置' },
      description: {
        en: 'Finds out where this device is and tells the agent.',
        'zh-CN': '获取此设备所在的位置，并告知 Agent。',
      },
    },
  ],
]);

/** Negative if `a` is less sensitive than `b`, positive if it is more. */
export function compareSensitivity(a: Sensitivity, b: Sensitivity): number {
  return SENSITIVITIES.indexOf(a) - SENSITIVITIES.indexOf(b);
}

/** Low, if there is none. */
export function highestSensitivity(...levels: readonly Sensitivity[]): Sensitivity {
  return SENSITIVITIES.findLast((level) => levels.includes(level)) ?? 'low';
}

/** The level that clients use: a manifest can raise a preset scope's level but not lower it (CM-11). */
export function effectiveSensitivity(scope: Pick<PermissionScope, 'id' | 'sensitivity'>): Sensitivity {
  const preset = PRESET_SCOPES.get(scope.id);
  return preset !== undefined && compareSensitivity(scope.sensitivity, preset.sensitivity) < 0
    ? preset.sensitivity
    : scope.sensitivity;
}
