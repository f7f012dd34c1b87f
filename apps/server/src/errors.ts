import { createErrorFactory, type ErrorTable } from '@parley/base';
import { ERRORS as SERVER_ERRORS } from '@parley/server/errors';

/** Why the server does not start or stop. The reasons of the database and of its folder are in the table of `@parley/server`. */
export const ERRORS = {
  NOT_STARTED: { retry: false, text: { en: 'Parley did not start.', 'zh-CN': 'Parley 未能启动。' } },
  VARIABLE_INVALID: {
    retry: false,
    text: {
      en: '{name} has an invalid value. Expected something like: {expected}',
      'zh-CN': '{name} 的值无效。应类似于：{expected}',
    },
  },
  VARIABLE_UNKNOWN: { retry: false, text: { en: 'There is no variable {name}.', 'zh-CN': '没有变量 {name}。' } },
  VARIABLE_UNKNOWN_SIMILAR: {
    retry: false,
    text: {
      en: 'There is no variable {name}. Did you mean {similar}?',
      'zh-CN': '没有变量 {name}。是否想使用 {similar}？',
    },
  },
  VARIABLE_MISSING: {
    retry: false,
    text: {
      en: '{name} must be set with NODE_ENV=production.',
      'zh-CN': 'NODE_ENV=production 时必须设置 {name}。',
    },
  },
  PORT_IN_USE: {
    retry: true,
    text: {
      en: 'Port {port} on {host} is in use. Set PARLEY_PORT to another port, or stop the program that uses it.',
      'zh-CN': '{host} 的端口 {port} 已被占用。请将 PARLEY_PORT 设为其他端口，或停止占用它的程序。',
    },
  },
  PORT_FORBIDDEN: {
    retry: false,
    text: {
      en: 'The system does not let you listen on port {port}. Set PARLEY_PORT to a number above 1023.',
      'zh-CN': '系统不允许监听端口 {port}。请将 PARLEY_PORT 设为大于 1023 的端口。',
    },
  },
  HOST_UNAVAILABLE: {
    retry: false,
    text: {
      en: 'This machine cannot listen on {host} ({reason}). Check PARLEY_HOST.',
      'zh-CN': '本机无法监听 {host}（{reason}）。请检查 PARLEY_HOST。',
    },
  },
  DATA_DIR_UNUSABLE: {
    retry: false,
    text: {
      en: 'The folder {folder} cannot be created ({reason}). Set PARLEY_DATA_DIR to another folder.',
      'zh-CN': '无法创建目录 {folder}（{reason}）。请将 PARLEY_DATA_DIR 设为其他目录。',
    },
  },
  DISK_FULL: {
    retry: true,
    text: {
      en: 'Nothing can be written in {folder} ({reason}). Make room on its disk, then start again.',
      'zh-CN': '无法在 {folder} 中写入（{reason}）。请清理磁盘空间后重新启动。',
    },
  },
  SECRETS_READABLE: {
    retry: false,
    text: {
      en: '{file} can be read by others (mode {mode}). If nobody has seen it, run “chmod 600 {file}”. Otherwise remove it: everyone has to sign in again, and webhook secrets have to be set again.',
      'zh-CN':
        '其他用户可以读取 {file}（权限 {mode}）。若确定无人看过，请运行“chmod 600 {file}”。否则请删除它：所有人需重新登录，Webhook 密钥需重新设置。',
    },
  },
  SECRETS_INVALID: {
    retry: false,
    text: {
      en: '{file} does not contain the secrets of a server. Restore it from your backup.',
      'zh-CN': '{file} 中没有服务器的密钥。请从备份中恢复。',
    },
  },
  SECRETS_ROTATING: {
    retry: false,
    text: {
      en: 'The secrets were rotated before, and those before still count. Run “npx @parley/cli secrets retire” first.',
      'zh-CN': '密钥已轮换过，之前的密钥仍然有效。请先运行“npx @parley/cli secrets retire”。',
    },
  },
  SECRETS_NOT_LOADED: {
    retry: false,
    text: {
      en: 'The server (process {pid}) still runs with the secrets of before. Restart it (npx @parley/cli stop, then start), then retire them.',
      'zh-CN':
        '服务器（进程 {pid}）仍在使用之前的密钥。请重新启动它（npx @parley/cli stop，然后 start），再停用之前的密钥。',
    },
  },
  SECRETS_MISSING: {
    retry: false,
    text: {
      en: 'There are no secrets in {folder} yet. The first start makes them.',
      'zh-CN': '{folder} 中还没有密钥。首次启动时会生成。',
    },
  },
  SERVER_ELSEWHERE: {
    retry: false,
    text: {
      en: 'The server that uses {folder} is process {pid} on {host}. It cannot be stopped from here, so stop it there.',
      'zh-CN': '使用 {folder} 的服务器是 {host} 上的进程 {pid}。从这里无法停止它，请在那里停止。',
    },
  },
  NOT_IN_TIME: {
    retry: true,
    text: { en: 'The server did not start in time. See {log}', 'zh-CN': '服务器未能及时启动。请查看 {log}' },
  },
  NOT_STOPPED: {
    retry: true,
    text: {
      en: 'Process {pid} has not stopped after {seconds} seconds. See its log, or end the process by its number.',
      'zh-CN': '进程 {pid} 在 {seconds} 秒后仍未停止。请查看其日志，或按进程号结束它。',
    },
  },
  ENDED: {
    retry: false,
    text: { en: 'The server ended while starting. See {log}', 'zh-CN': '服务器在启动过程中退出。请查看 {log}' },
  },
} as const satisfies ErrorTable;

/** All reasons why a server does not start. */
export const START_ERRORS = { ...SERVER_ERRORS, ...ERRORS };

export const startError = createErrorFactory(START_ERRORS);
