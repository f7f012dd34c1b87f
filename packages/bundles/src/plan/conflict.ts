import { fillText, type Locale } from '@parley/base';
import { displayText } from '@parley/documents';

const TEXTS = {
  FILE_EXISTS: {
    en: '{path} already exists. Move or rename it: your files are never overwritten.',
    'zh-CN': '{path} 已存在。请移动或重命名它，系统不会覆盖您的文件。',
  },
  FILE_EDITED: {
    en: '{path} has been edited since it was installed. Move your version away first.',
    'zh-CN': '{path} 在安装后被修改过，请先把您的版本移走。',
  },
  BLOCK_EDITED: {
    en: 'The marked block in {path} has been edited. Move your text out of it first.',
    'zh-CN': '{path} 中的标记块被修改过，请先把您的内容移出该块。',
  },
  BLOCK_BROKEN: {
    en: 'The markers of the block in {path} are incomplete or doubled. Put them in order by hand.',
    'zh-CN': '{path} 中标记块的标记不完整或重复，请手动修正。',
  },
  BLOCK_FOREIGN: {
    en: '{path} has a marked block of this bundle, but the bundle isn’t installed. Remove the block by hand.',
    'zh-CN': '{path} 中已有此套件的标记块，但它没有安装，请手动删除该块。',
  },
  NOT_A_FILE: {
    en: '{path} is a link, a folder or something else that is not a plain file, or lies behind a link.',
    'zh-CN': '{path} 是链接、文件夹或其他非普通文件，或位于链接之后。',
  },
  HARD_LINK: {
    en: '{path} has a second name elsewhere (a hard link). Copy it first.',
    'zh-CN': '{path} 在别处还有另一个名称（硬链接），请先复制一份。',
  },
  NOT_TEXT: {
    en: '{path} isn’t UTF-8 text, so no block can be added to it.',
    'zh-CN': '{path} 不是 UTF-8 文本，无法添加标记块。',
  },
  PATH_UNSAFE: {
    en: '{path} is not a path that stays inside the workspace on every system.',
    'zh-CN': '{path} 不是在所有系统上都位于工作区内的安全路径。',
  },
  PATH_COLLISION: {
    en: '{path} and {other} are the same file on some systems. Rename one of them.',
    'zh-CN': '{path} 与 {other} 在某些系统上是同一个文件，请重命名其中一个。',
  },
  BUNDLE_COLLISION: {
    en: '{path} is also used by the active bundle {other}. Uninstall one of the two.',
    'zh-CN': '{path} 也被已激活的套件 {other} 使用，请卸载其中一个。',
  },
} as const satisfies Record<string, Record<Locale, string>>;

export type ConflictCode = keyof typeof TEXTS;

/** Why the workspace refuses a plan. Nothing is written while there is a conflict. */
export interface Conflict {
  readonly code: ConflictCode;
  /** A path of the workspace, or the id of a role, kit or team. */
  readonly path: string;
  readonly other?: string;
}

export function describeConflict({ code, path, other = '' }: Conflict, locale: Locale): string {
  return fillText(TEXTS[code][locale], { path, other }, (value) => displayText(String(value)));
}
