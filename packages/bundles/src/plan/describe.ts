import { fillText, type Locale } from '@parley/base';
import { displayText } from '@parley/documents';
import type { Drift } from '../life/drift.ts';
import type { Missing } from '../project/projection.ts';
import type { KeptFile } from './operation.ts';

type Sentences<Key extends string> = Readonly<Record<Key, Readonly<Record<Locale, string>>>>;

const MISSING: Sentences<Missing['code']> = {
  MCP_LAUNCH_MISSING: {
    en: 'Kit {kit} needs the MCP server {detail}, but says neither how to start nor how to reach it.',
    'zh-CN': '能力包 {kit} 需要 MCP 服务器 {detail}，但没有说明如何启动或连接它。',
  },
  ENTRY_POINT_MISSING: {
    en: 'Kit {kit} starts with {detail}, which did not come with it.',
    'zh-CN': '能力包 {kit} 的入口文件 {detail} 没有随包提供。',
  },
  KIT_CONTENT_MISSING: {
    en: 'The content of kit {kit} was not fetched from {detail}.',
    'zh-CN': '尚未从 {detail} 获取能力包 {kit} 的内容。',
  },
};

const KEPT: Sentences<KeptFile['reason']> = {
  edited: { en: '{path} has been edited and stays.', 'zh-CN': '{path} 已被修改，予以保留。' },
  block_edited: {
    en: 'The block in {path} has been edited and stays.',
    'zh-CN': '{path} 中的标记块已被修改，予以保留。',
  },
  edited_around: {
    en: 'The block is gone from {path}; the changes around it stay.',
    'zh-CN': '已移除 {path} 中的标记块，其余修改予以保留。',
  },
  gone: { en: '{path} was already gone.', 'zh-CN': '{path} 已不存在。' },
  not_a_file: { en: '{path} is no longer a plain file and stays.', 'zh-CN': '{path} 已不是普通文件，予以保留。' },
};

const DRIFT: Sentences<Drift['problem']> = {
  changed: { en: '{path} is not what was installed.', 'zh-CN': '{path} 与安装时不同。' },
  missing: { en: '{path} is missing.', 'zh-CN': '{path} 缺失。' },
  added: { en: '{path} was not installed.', 'zh-CN': '{path} 不是安装的文件。' },
  block_changed: { en: 'The block in {path} is not what was installed.', 'zh-CN': '{path} 中的标记块与安装时不同。' },
  not_a_file: { en: '{path} is no longer a plain file.', 'zh-CN': '{path} 已不是普通文件。' },
};

export const describeMissing = ({ code, kit, detail }: Missing, locale: Locale): string =>
  fillText(MISSING[code][locale], { kit, detail }, showText);
export const describeKept = ({ path, reason }: KeptFile, locale: Locale): string =>
  fillText(KEPT[reason][locale], { path }, showText);
export const describeDrift = ({ path, problem }: Drift, locale: Locale): string =>
  fillText(DRIFT[problem][locale], { path }, showText);

const showText = (value: unknown) => displayText(String(value));
