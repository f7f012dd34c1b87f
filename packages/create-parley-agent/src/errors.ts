import { createErrorFactory, type ErrorEntry } from '@parley/base';

/** The exit codes are those of all our commands (HS-7). Ctrl-C has the code that shells use for it. */
export const EXIT = { fine: 0, bad: 1, usage: 2, environment: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface CreateErrorEntry extends ErrorEntry {
  readonly exit: ExitCode;
}

export const ERRORS = {
  OPTION_UNKNOWN: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: 'There is no option {option}. See: create-parley-agent --help',
      'zh-CN': '没有选项 {option}。请查看：create-parley-agent --help',
    },
  },
  OPTION_INVALID: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: '{option} takes one of: {choices}.',
      'zh-CN': '{option} 可取：{choices}。',
    },
  },
  OPTION_WITHOUT_VALUE: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: '{option} takes no value.',
      'zh-CN': '{option} 不带值。',
    },
  },
  FOLDER_TWICE: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: 'Name one folder. A name has no spaces.',
      'zh-CN': '只能指定一个文件夹；名称中不能有空格。',
    },
  },
  FOLDER_MISSING: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: 'Nobody can be asked here, so name the new folder: create-parley-agent my-agent',
      'zh-CN': '此处无法询问，请指定新文件夹：create-parley-agent my-agent',
    },
  },
  NAME_INVALID: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: 'A name has lower-case letters and digits, with - . _ between them, at most 64 in all: my-agent',
      'zh-CN': '名称由小写字母和数字组成，中间可用 - . _，最多 64 个字符：my-agent',
    },
  },
  NAME_RESERVED: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: 'npm or Windows keeps the name {name} for itself. Choose another one: my-agent',
      'zh-CN': '名称 {name} 由 npm 或 Windows 保留。请换一个：my-agent',
    },
  },
  PATH_INVALID: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: 'A path may have no “..” and no invisible characters. Go to the folder in which the new one should be, and name just that.',
      'zh-CN': '路径中不能有“..”或不可见字符。请先进入新文件夹所在的位置，再只写它的名称。',
    },
  },
  PATH_FROM_HOME: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: '“~” means the home folder only where a shell reads it. Write the whole path, or go to the folder in which the new one should be, and name just that.',
      'zh-CN': '“~”只有在由 shell 读取时才表示主目录。请写完整路径，或先进入新文件夹所在的位置，再只写它的名称。',
    },
  },
  FOLDER_NOT_EMPTY: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '{folder} already exists and is not empty. Choose another name, or empty it first. Nothing was changed.',
      'zh-CN': '{folder} 已存在且不为空。请换一个名称，或先清空它。没有任何更改。',
    },
  },
  FOLDER_IS_FILE: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '{folder} is not a folder. Choose another name. Nothing was changed.',
      'zh-CN': '{folder} 不是文件夹。请换一个名称。没有任何更改。',
    },
  },
  FOLDER_IS_LINK: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '{folder} is a link to another place. Name that place itself, or choose another name. Nothing was changed.',
      'zh-CN': '{folder} 是指向别处的链接。请直接指定那个位置，或换一个名称。没有任何更改。',
    },
  },
  FOLDER_NOT_WRITABLE: {
    exit: EXIT.environment,
    retry: false,
    text: {
      en: '{folder} cannot be written ({reason}). Nothing was changed.',
      'zh-CN': '无法写入 {folder}（{reason}）。没有任何更改。',
    },
  },
  CREATION_CANCELLED: {
    exit: EXIT.interrupted,
    retry: false,
    text: { en: 'You cancelled. Nothing was written.', 'zh-CN': '已取消，没有写入任何文件。' },
  },
} as const satisfies Readonly<Record<string, CreateErrorEntry>>;

export const createError = createErrorFactory(ERRORS);

export function exitOf(code: string): ExitCode {
  return Object.hasOwn(ERRORS, code) ? ERRORS[code as keyof typeof ERRORS].exit : EXIT.environment;
}
