import { createErrorFactory, type ErrorTable } from '@parley/base';

/** Why a server cannot start, or a backup cannot be written or restored. Requests have the codes of the wire registry. */
export const ERRORS = {
  FOLDER_HELD: {
    retry: false,
    text: {
      en: 'Process {pid} on {host} already runs a server with {folder}. Stop it (parley stop), or choose another folder with PARLEY_DATA_DIR.',
      'zh-CN':
        '{host} 上的进程 {pid} 已在使用 {folder} 运行服务器。请停止它（parley stop），或用 PARLEY_DATA_DIR 选择其他目录。',
    },
  },
  POSTGRES_MISSING: {
    retry: false,
    text: {
      en: 'No Postgres comes with Parley for {platform}. Install without --omit=optional, or set DATABASE_URL to one of your own.',
      'zh-CN':
        'Parley 没有为 {platform} 附带 Postgres。安装时不要使用 --omit=optional，或用 DATABASE_URL 指定自己的数据库。',
    },
  },
  POSTGRES_NO_USER: {
    retry: false,
    text: {
      en: 'Postgres refuses to run as root, and there is no user postgres, parley or nobody to run it as. Create one, or set DATABASE_URL.',
      'zh-CN':
        'Postgres 拒绝以 root 运行，而系统中没有可用的 postgres、parley 或 nobody 用户。请创建一个，或设置 DATABASE_URL。',
    },
  },
  POSTGRES_UNREACHABLE: {
    retry: false,
    text: {
      en: 'Postgres runs as the user {user}, who cannot reach {folder}. Choose a folder whose parents everyone may pass with PARLEY_DATA_DIR, or do not run as root.',
      'zh-CN':
        'Postgres 以用户 {user} 运行，该用户无法访问 {folder}。请用 PARLEY_DATA_DIR 选择各级目录均可进入的目录，或不要以 root 运行。',
    },
  },
  POSTGRES_VERSION: {
    retry: false,
    text: {
      en: 'The data in {folder} is of Postgres {found}; this Parley brings {needed}. With the version that made it: parley backup. Then move the folder away, and with this version: parley restore.',
      'zh-CN':
        '{folder} 中的数据属于 Postgres {found}，当前 Parley 附带 {needed}。请用原版本运行 parley backup，移走该目录，再用当前版本运行 parley restore。',
    },
  },
  POSTGRES_FAILED: {
    retry: true,
    text: {
      en: 'Postgres did not start: {reason} (see {log}).',
      'zh-CN': 'Postgres 未能启动：{reason}（见 {log}）。',
    },
  },

  BACKUP_UNREADABLE: {
    retry: false,
    text: {
      en: 'The file is not a backup, or it is damaged. Nothing was restored.',
      'zh-CN': '该文件不是备份，或已损坏。没有恢复任何内容。',
    },
  },
  BACKUP_NEWER: {
    retry: false,
    text: {
      en: 'The backup was made by a newer version of Parley. Nothing was restored: install that version first.',
      'zh-CN': '该备份由更新版本的 Parley 生成。没有恢复任何内容：请先安装该版本。',
    },
  },
  DATABASE_NOT_EMPTY: {
    retry: false,
    text: {
      en: 'The database is not empty. Move the data folder away, or use another.',
      'zh-CN': '数据库不是空的。请移走数据目录，或使用其他目录。',
    },
  },
  DATABASE_UNREACHABLE: {
    retry: true,
    text: {
      en: 'The database cannot be used ({reason}). See DATABASE_URL.',
      'zh-CN': '无法使用数据库（{reason}）。请检查 DATABASE_URL。',
    },
  },
  DATABASE_EMPTY: {
    retry: false,
    text: { en: 'There is nothing to back up yet.', 'zh-CN': '还没有可备份的内容。' },
  },
} as const satisfies ErrorTable;

export const serverError = createErrorFactory(ERRORS);
