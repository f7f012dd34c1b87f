import { fillText, type Locale, type Texts } from '@parley/base';
import type { AuditVerification } from './types.ts';

/** What can be wrong with a log; `{seq}` is the number of the record it was noticed at. */
const TEXTS = {
  record_altered: {
    en: 'Entry {seq} was changed.',
    'zh-CN': '第 {seq} 条记录被改动过。',
  },
  record_before_altered: {
    en: 'The entry before {seq} was changed: it no longer matches entry {seq}.',
    'zh-CN': '第 {seq} 条之前的记录被改动过，与第 {seq} 条不符。',
  },
  record_missing: {
    en: 'Entry {seq} is missing.',
    'zh-CN': '缺少第 {seq} 条记录。',
  },
  record_moved: {
    en: 'Another entry is in the place of entry {seq}.',
    'zh-CN': '第 {seq} 条记录的位置上是另一条记录。',
  },
  checkpoint_altered: {
    en: 'The checkpoint that stands for deleted entries wasn’t signed by this device.',
    'zh-CN': '代替已清理记录的检查点不是由此设备签名的。',
  },
  head_missing: {
    en: 'The signed end of the log is missing. Entries after {seq} may have been cut off.',
    'zh-CN': '缺少日志的签名结尾：第 {seq} 条之后的记录可能被截去。',
  },
  head_altered: {
    en: 'The end of the log wasn’t signed by this device.',
    'zh-CN': '日志的结尾不是由此设备签名的。',
  },
  head_behind: {
    en: 'Entry {seq} and those after it aren’t covered by the signed end of the log.',
    'zh-CN': '第 {seq} 条及之后的记录不在日志签名结尾的范围内。',
  },
} as const satisfies Readonly<Record<string, Texts>>;

export type AuditProblem = keyof typeof TEXTS;

/** The sentence for a person. */
export function explainAuditProblem({ problem, seq }: AuditVerification & { ok: false }, locale: Locale): string {
  const texts = Object.hasOwn(TEXTS, problem) ? TEXTS[problem as AuditProblem] : TEXTS.record_altered;
  return fillText(texts[locale], { seq });
}
