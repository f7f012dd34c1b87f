import { fillText, type Locale, type Params, type Texts } from '@parley/base';

/** What the server prints about itself. The reasons why it does not start are in errors.ts. */
export const TEXTS = {
  RUNNING: { en: 'Parley is running at {url}', 'zh-CN': 'Parley 已在 {url} 运行' },
  RUNNING_LOG: { en: 'Parley is running at {url} (log: {log})', 'zh-CN': 'Parley 已在 {url} 运行（日志：{log}）' },
  WELCOME: {
    en: 'New here? Open the address in a browser and add DemoBot. Without a browser: npx @parley/cli tour',
    'zh-CN': '初次使用？请在浏览器中打开该地址并添加 DemoBot。不用浏览器：npx @parley/cli tour',
  },
  OPERATOR_LINK: {
    en: 'This server has no operator yet. To be its operator, create your account with this link, which works once:\n{link}',
    'zh-CN': '此服务器还没有运营者。要成为运营者，请用此链接创建您的账户（链接只能使用一次）：\n{link}',
  },
  OPERATOR_FILE: {
    en: 'This server has no operator yet. The link to create the operator’s account is in {file}',
    'zh-CN': '此服务器还没有运营者。用于创建运营者账户的链接在 {file} 中',
  },
  STOPPED_EARLY: {
    en: 'Parley was told to stop before it had started.',
    'zh-CN': 'Parley 在启动完成之前被要求停止。',
  },
  WAITING_RECOVER: {
    en: 'Waiting for the embedded database to start; after a crash it recovers first ({seconds} s).',
    'zh-CN': '正在等待内置数据库启动；崩溃之后它会先恢复数据（{seconds} 秒）。',
  },
  WAITING_CONNECT: {
    en: 'Waiting for the database to answer ({seconds} s).',
    'zh-CN': '正在等待数据库响应（{seconds} 秒）。',
  },
  WAITING_OTHER_NODE: {
    en: 'Waiting for another node, which brings the database up to date ({seconds} s).',
    'zh-CN': '正在等待另一个节点更新数据库（{seconds} 秒）。',
  },
  WAITING_MIGRATE: {
    en: 'Bringing the database up to date: {name} ({seconds} s).',
    'zh-CN': '正在更新数据库：{name}（{seconds} 秒）。',
  },
  WAITING_LOCKS: {
    en: 'Waiting for tables that others keep locked, a backup for example, to bring the database up to date: {name} ({seconds} s).',
    'zh-CN': '正在等待被其他连接（例如备份）锁定的表，以便更新数据库：{name}（{seconds} 秒）。',
  },
  WAITING_SECRETS: {
    en: 'Sealing webhook secrets anew ({seconds} s).',
    'zh-CN': '正在重新加密 Webhook 密钥（{seconds} 秒）。',
  },
  WAITING_SERVICES: {
    en: 'Still starting: the database is ready, work is about to begin ({seconds} s).',
    'zh-CN': '仍在启动：数据库已就绪，即将开始工作（{seconds} 秒）。',
  },
  DATA_REMOVED: {
    en: 'The folder {folder} was removed, and the database with it. Parley has stopped.',
    'zh-CN': '目录 {folder} 已被删除，数据库随之丢失。Parley 已停止。',
  },
} as const satisfies Readonly<Record<string, Texts>>;

export function say(name: keyof typeof TEXTS, locale: Locale, params: Params = {}): string {
  return fillText(TEXTS[name][locale], params);
}
