import { present } from '../partial.ts';
import type { LevelCheck } from './level.ts';

const MAX_SUMMARY = 140;

/** Warns about what makes a bundle hard to understand for its users (BV-6). */
export const experience: LevelCheck = {
  level: 'L6',
  name: { en: 'experience', 'zh-CN': '体验可转译' },
  check({ bundle }, report) {
    const length = [...(bundle.summary ?? '')].length;
    if (length > MAX_SUMMARY) report.add('SUMMARY_LONG', '/summary', { length, limit: MAX_SUMMARY });
    const { description } = bundle;
    if (description !== undefined && !isReadable(description)) {
      report.add('DESCRIPTION_UNREADABLE', '/description', {});
    }
    if (!isReadable(bundle.author ?? '')) report.add('AUTHOR_MISSING', '/author', {});
    for (const [index, { id = '', purpose = '', description = '' }] of present(bundle.roles)) {
      if (!isReadable(purpose) && !isReadable(description)) report.add('ROLE_UNREADABLE', `/roles/${index}`, { id });
    }
  },
};

/** True if a person could read it: it contains a letter or a digit of any script. */
function isReadable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
