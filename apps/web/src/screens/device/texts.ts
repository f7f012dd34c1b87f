import type { TextTable } from '../../i18n/text-table.ts';

const en = {
  title: 'Sign in another program',
  lead: 'A program without a browser asks to be signed in as you. Approve it only if you started it yourself just now.',
  code: 'Code that the program shows',
  look: 'Continue',
  asks: '“{{name}}” asks to be signed in as you.',
  approve: 'Approve',
  refuse: 'Refuse',
  approved: 'Approved. Go back to the program.',
  refused: 'Refused.',
  unknown: 'There is no such code, or it has expired.',
};

export const deviceFlow: TextTable<typeof en> = {
  en,
  'zh-CN': {
    title: '登录其他程序',
    lead: '一个没有浏览器的程序请求以你的身份登录。仅当是你自己刚刚启动它时才批准。',
    code: '程序显示的代码',
    look: '继续',
    asks: '“{{name}}”请求以你的身份登录。',
    approve: '批准',
    refuse: '拒绝',
    approved: '已批准。请回到该程序。',
    refused: '已拒绝。',
    unknown: '没有这个代码，或已过期。',
  },
};
