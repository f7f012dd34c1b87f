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
    'zh-CN': '此服务器还没有运营者。要成为运营者，请用此链接创建你的账户（链接只能使用一次）：\n{link}',
  },
  OPERATOR_FILE: {
    en: 'This server has no operator yet. The link to create the operator’s account is in {file}',
    'zh-CN': '此服务器还没有运营者。用于创建运营者账户的链接在 {file} 中',
  },
  DATA_REMOVED: {
    en: 'The folder {folder} was removed, and the database with it. Parley has stopped.',
    'zh-CN': '目录 {folder} 已被删除，数据库随之丢失。Parley 已停止。',
  },
} as const satisfies Readonly<Record<string, Texts>>;

export function say(name: keyof typeof TEXTS, locale: Locale, params: Params = {}): string {
  return fillText(TEXTS[name][locale], params);
}
