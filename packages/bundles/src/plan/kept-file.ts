import { fillText, type Locale, type Texts } from '@parley/base';
import { displayText } from '@parley/documents';

/** A file that was changed since we wrote it. It stays, and the user is told (BA-5). */
export interface KeptFile {
  readonly path: string;
  readonly reason: 'edited' | 'block_edited' | 'edited_around' | 'gone' | 'not_a_file';
}

const TEXTS: Readonly<Record<KeptFile['reason'], Texts>> = {
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

export const describeKept = ({ path, reason }: KeptFile, locale: Locale): string =>
  fillText(TEXTS[reason][locale], { path }, (value) => displayText(String(value)));
