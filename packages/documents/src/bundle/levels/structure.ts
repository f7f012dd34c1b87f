import type { LevelCheck } from './level.ts';

/** The structure (BV-1) is checked completely by the shape of the top level. */
export const structure: LevelCheck = { level: 'L1', name: { en: 'structure', 'zh-CN': '包体结构' }, check() {} };
