import type { accountEn } from './account.en.ts';

export const accountZhCN: Readonly<Record<keyof typeof accountEn, string>> = {
  'account.enter_code': `请在浏览器中打开 {uri}，登录后输入代码 {code}
或直接打开 {complete}
正在等待；按 Ctrl-C 放弃。`,
  'account.signed_in': '已以 {name}（{email}）的身份登录 {url}。',
  'account.interrupted': '已取消，没有登录。',
  'account.too_late': '代码在输入之前已过期，请重新开始。',
  'account.expired': '会话已结束。请重新登录：{command}',
};
