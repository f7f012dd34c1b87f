import { fillText, type Locale, type Texts } from '@parley/base';
import type { Problem } from './refusal.ts';

export const TEXTS: Readonly<Record<string, Texts>> = {
  RUNNING: { en: 'Parley is running at {url}', 'zh-CN': 'Parley 已在 {url} 运行' },
  RUNNING_LOG: { en: 'Parley is running at {url} (log: {log})', 'zh-CN': 'Parley 已在 {url} 运行（日志：{log}）' },
  WELCOME: {
    en: 'New here? Open the address in a browser and add DemoBot. Without a browser: npx parley tour',
    'zh-CN': '初次使用？请在浏览器中打开该地址并添加 DemoBot。不用浏览器：npx parley tour',
  },
  DATA_REMOVED: {
    en: 'The folder {folder} was removed, and the database with it. Parley has stopped.',
    'zh-CN': '目录 {folder} 已被删除，数据库随之丢失。Parley 已停止。',
  },
  NOT_STARTED: { en: 'Parley did not start.', 'zh-CN': 'Parley 未能启动。' },

  VARIABLE_INVALID: {
    en: '{name} is not right. Expected something like: {expected}',
    'zh-CN': '{name} 的值不正确。应类似于：{expected}',
  },
  VARIABLE_UNKNOWN: { en: 'There is no variable {name}.', 'zh-CN': '没有变量 {name}。' },
  VARIABLE_UNKNOWN_SIMILAR: {
    en: 'There is no variable {name}. Did you mean {similar}?',
    'zh-CN': '没有变量 {name}。是否想使用 {similar}？',
  },
  VARIABLE_MISSING: {
    en: '{name} must be set with NODE_ENV=production.',
    'zh-CN': 'NODE_ENV=production 时必须设置 {name}。',
  },
  PORT_IN_USE: {
    en: 'Port {port} on {host} is in use. Choose another with PARLEY_PORT, or stop what uses it.',
    'zh-CN': '{host} 的端口 {port} 已被占用。请用 PARLEY_PORT 选择其他端口，或停止占用它的程序。',
  },
  PORT_FORBIDDEN: {
    en: 'The system does not let you listen on port {port}. Choose one above 1023 with PARLEY_PORT.',
    'zh-CN': '系统不允许监听端口 {port}。请用 PARLEY_PORT 选择大于 1023 的端口。',
  },
  HOST_UNAVAILABLE: {
    en: 'This machine cannot listen on {host} ({reason}). See PARLEY_HOST.',
    'zh-CN': '本机无法监听 {host}（{reason}）。请检查 PARLEY_HOST。',
  },
  DATA_DIR_UNUSABLE: {
    en: 'The folder {folder} cannot be made ({reason}). Choose another with PARLEY_DATA_DIR.',
    'zh-CN': '无法创建目录 {folder}（{reason}）。请用 PARLEY_DATA_DIR 选择其他目录。',
  },
  DATABASE_UNREACHABLE: {
    en: 'The database cannot be used ({reason}). See DATABASE_URL.',
    'zh-CN': '无法使用数据库（{reason}）。请检查 DATABASE_URL。',
  },
  SECRETS_READABLE: {
    en: '{file} can be read by others (mode {mode}). If nobody has seen it: chmod 600 {file}. Otherwise remove it: everyone signs in again, and webhook secrets are set anew.',
    'zh-CN':
      '其他用户可以读取 {file}（权限 {mode}）。若确定无人看过：chmod 600 {file}。否则请删除它：所有人需重新登录，Webhook 密钥需重新设置。',
  },
  SECRETS_INVALID: {
    en: '{file} does not hold the secrets of a server. Put it back from your backup.',
    'zh-CN': '{file} 中没有服务器的密钥。请从备份中恢复。',
  },

  FOLDER_HELD: {
    en: 'Process {pid} on {host} already runs a server with {folder}. Stop it (parley stop), or choose another folder with PARLEY_DATA_DIR.',
    'zh-CN':
      '{host} 上的进程 {pid} 已在使用 {folder} 运行服务器。请停止它（parley stop），或用 PARLEY_DATA_DIR 选择其他目录。',
  },
  SERVER_ELSEWHERE: {
    en: 'The server of {folder} is process {pid} on {host}. Stop it there: it cannot be reached from here.',
    'zh-CN': '{folder} 的服务器是 {host} 上的进程 {pid}。请在那里停止它：从这里无法操作。',
  },
  POSTGRES_MISSING: {
    en: 'No Postgres comes with Parley for {platform}. Install without --omit=optional, or set DATABASE_URL to one of your own.',
    'zh-CN':
      'Parley 没有为 {platform} 附带 Postgres。安装时不要使用 --omit=optional，或用 DATABASE_URL 指定自己的数据库。',
  },
  POSTGRES_NO_USER: {
    en: 'Postgres refuses to run as root, and there is no user postgres, parley or nobody to run it as. Create one, or set DATABASE_URL.',
    'zh-CN':
      'Postgres 拒绝以 root 运行，而系统中没有可用的 postgres、parley 或 nobody 用户。请创建一个，或设置 DATABASE_URL。',
  },
  POSTGRES_UNREACHABLE: {
    en: 'Postgres runs as the user {user}, who cannot reach {folder}. Choose a folder whose parents everyone may pass with PARLEY_DATA_DIR, or do not run as root.',
    'zh-CN':
      'Postgres 以用户 {user} 运行，该用户无法访问 {folder}。请用 PARLEY_DATA_DIR 选择各级目录均可进入的目录，或不要以 root 运行。',
  },
  POSTGRES_VERSION: {
    en: 'The data in {folder} is of Postgres {found}; this Parley brings {needed}. With the version that made it: parley backup. Then move the folder away, and with this version: parley restore.',
    'zh-CN':
      '{folder} 中的数据属于 Postgres {found}，当前 Parley 附带 {needed}。请用原版本运行 parley backup，移走该目录，再用当前版本运行 parley restore。',
  },
  POSTGRES_FAILED: {
    en: 'Postgres did not start: {reason} (see {log})',
    'zh-CN': 'Postgres 未能启动：{reason}（见 {log}）',
  },
  NOT_IN_TIME: { en: 'It did not start in time. See {log}', 'zh-CN': '未能及时启动。请查看 {log}' },
  NOT_STOPPED: {
    en: 'Process {pid} has not stopped after 20 seconds.',
    'zh-CN': '进程 {pid} 在 20 秒后仍未停止。',
  },
  ENDED: { en: 'It ended while starting. See {log}', 'zh-CN': '启动过程中退出。请查看 {log}' },
};

export function say(code: string, locale: Locale, params: Problem['params'] = {}): string {
  return fillText(TEXTS[code]?.[locale] ?? code, params);
}

export function sayProblems(problems: readonly Problem[], locale: Locale): string {
  return problems.map(({ code, params }) => say(code, locale, params)).join('\n');
}
