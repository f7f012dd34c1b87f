import { createErrorFactory, type ErrorTable } from '@parley/base';

/** Why a server cannot start, or a backup cannot be written or restored. Requests have the codes of the wire registry. */
export const ERRORS = {
  FOLDER_HELD: {
    retry: false,
    text: {
      en: 'Process {pid} on {host} already runs a server with {folder}. Stop it (npx @parley/cli stop), or set PARLEY_DATA_DIR to another folder.',
      'zh-CN':
        '{host} 上的进程 {pid} 已在使用 {folder} 运行服务器。请停止它（“npx @parley/cli stop”），或将 PARLEY_DATA_DIR 设为其他目录。',
    },
  },
  POSTGRES_MISSING: {
    retry: false,
    text: {
      en: 'Parley does not come with a Postgres for {platform}. Install it without --omit=optional, or set DATABASE_URL to your own database.',
      'zh-CN':
        'Parley 没有为 {platform} 附带 Postgres。安装时不要使用 --omit=optional，或用 DATABASE_URL 指定自己的数据库。',
    },
  },
  POSTGRES_NO_USER: {
    retry: false,
    text: {
      en: 'Postgres refuses to run as root, and there is no user postgres, parley or nobody to run it as. Create one, or set DATABASE_URL.',
      'zh-CN':
        'Postgres 拒绝以 root 运行，而系统中没有可用的“postgres”、“parley”或“nobody”用户。请创建一个，或设置 DATABASE_URL。',
    },
  },
  POSTGRES_UNREACHABLE: {
    retry: false,
    text: {
      en: 'Postgres runs as the user {user}, who cannot reach {folder}. Set PARLEY_DATA_DIR to a folder that this user can reach, or do not run as root.',
      'zh-CN':
        'Postgres 以用户 {user} 运行，该用户无法访问 {folder}。请将 PARLEY_DATA_DIR 设为该用户可以访问的目录，或不要以 root 运行。',
    },
  },
  POSTGRES_VERSION: {
    retry: false,
    text: {
      en: 'The data in {folder} was written by Postgres {found}, but this version of Parley comes with Postgres {needed}. Run “npx @parley/cli backup” with the version that wrote it, move the folder away, and run “npx @parley/cli restore” with this version.',
      'zh-CN':
        '{folder} 中的数据由 Postgres {found} 写入，而当前版本的 Parley 附带 Postgres {needed}。请用原版本运行“npx @parley/cli backup”，移走该目录，再用当前版本运行“npx @parley/cli restore”。',
    },
  },
  POSTGRES_FAILED: {
    retry: true,
    text: {
      en: 'Postgres did not start: {reason} (see {log}).',
      'zh-CN': 'Postgres 未能启动：{reason}（见 {log}）。',
    },
  },

  POSTGRES_NO_PORT: {
    retry: true,
    text: {
      en: 'There is no free port on 127.0.0.1 for Postgres. Stop programs that listen there, or set DATABASE_URL to your own database.',
      'zh-CN': '127.0.0.1 上没有可供 Postgres 使用的端口。请停止占用端口的程序，或用 DATABASE_URL 指定自己的数据库。',
    },
  },
  MIGRATION_BLOCKED: {
    retry: true,
    text: {
      en: 'The database could not be brought up to date: for {seconds} seconds others kept tables locked that {name} changes. Usually that is a backup, or a query that takes long. Wait until it has ended, then start again: what was done stays, and nothing is half done.',
      'zh-CN':
        '无法更新数据库：{name} 要修改的表已被其他连接锁定 {seconds} 秒。这通常是备份或耗时很长的查询。请等它结束后重新启动：已完成的部分会保留，不会留下只完成一半的修改。',
    },
  },
  MIGRATION_ELSEWHERE: {
    retry: true,
    text: {
      en: 'Another node has been bringing the database up to date for {minutes} minutes. See its log, and start again when it has ended.',
      'zh-CN': '另一个节点已用 {minutes} 分钟更新数据库。请查看它的日志，等它结束后重新启动。',
    },
  },
  WEB_CLIENT_MISSING: {
    retry: false,
    text: {
      en: 'The web client in {folder} has no index.html. Build it with “npm run build”.',
      'zh-CN': '{folder} 中的网页客户端没有 index.html。请用“npm run build”构建。',
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
      en: 'The backup was made by a newer version of Parley. Nothing was restored. Install that version first.',
      'zh-CN': '该备份由更新版本的 Parley 生成。没有恢复任何内容。请先安装该版本。',
    },
  },
  DATABASE_NOT_EMPTY: {
    retry: false,
    text: {
      en: 'The database is not empty. Move the data folder away, or use another one.',
      'zh-CN': '数据库不是空的。请移走数据目录，或使用其他目录。',
    },
  },
  DATABASE_UNREACHABLE: {
    retry: true,
    text: {
      en: 'The database cannot be used ({reason}). Check DATABASE_URL.',
      'zh-CN': '无法使用数据库（{reason}）。请检查 DATABASE_URL。',
    },
  },
  DATABASE_EMPTY: {
    retry: false,
    text: { en: 'There is nothing to back up yet.', 'zh-CN': '还没有可备份的内容。' },
  },
} as const satisfies ErrorTable;

export const serverError = createErrorFactory(ERRORS);
