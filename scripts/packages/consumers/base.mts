import { fillText, isParleyError, type Locale, toLocale } from '@parley/base';
import { openLockFolder } from '@parley/base/node';

const locale: Locale = toLocale('zh-Hans');
if (locale !== 'zh-CN') throw new Error(locale);
if (fillText('{count} of {all}', { count: 1, all: 2 }) !== '1 of 2') throw new Error('not filled in');
if (isParleyError(new Error('of somebody else'))) throw new Error('not ours');
export const open: (path: string) => Promise<unknown> = openLockFolder;
