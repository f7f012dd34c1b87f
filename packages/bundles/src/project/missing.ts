import { fillText, type Locale, type Texts } from '@parley/base';
import { displayText } from '@parley/documents';

/** A part that the user still has to supply. */
export interface Missing {
  readonly code: 'MCP_LAUNCH_MISSING' | 'ENTRY_POINT_MISSING' | 'KIT_CONTENT_MISSING';
  readonly kit: string;
  readonly detail: string;
}

const TEXTS: Readonly<Record<Missing['code'], Texts>> = {
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

export const describeMissing = ({ code, kit, detail }: Missing, locale: Locale): string =>
  fillText(TEXTS[code][locale], { kit, detail }, (value) => displayText(String(value)));
