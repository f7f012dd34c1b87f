import type { LevelCheck } from './level.ts';

/** BV-1: all of it is a matter of the shape of the top level. */
export const structure: LevelCheck = { level: 'L1', name: { en: 'structure', 'zh-CN': '包体结构' }, check() {} };
