import type { TextTable } from '../../i18n/text-table.ts';

const en = {
  title: 'Let a program sign in',
  lead: 'A program without a browser wants to sign in as you. Approve it only if you started it yourself just now.',
  code: 'Code shown by the program',
  look: 'Continue',
  asks: '“{{name}}” wants to sign in as you.',
  approve: 'Approve',
  refuse: 'Deny',
  approved: 'Approved. Go back to the program.',
  refused: 'Denied. The program isn’t signed in.',
  unknown: 'This code doesn’t exist or has expired. Check it, or start again in the program.',
};

export const deviceFlow: TextTable<typeof en> = {
  en,
  'zh-CN': {
    title: '允许程序登录',
    lead: '一个没有浏览器的程序请求以您的身份登录。只有在您自己刚刚启动它时才批准。',
    code: '程序显示的代码',
    look: '继续',
    asks: '“{{name}}”请求以您的身份登录。',
    approve: '批准',
    refuse: '拒绝',
    approved: '已批准。请回到该程序。',
    refused: '已拒绝，该程序没有登录。',
    unknown: '此代码不存在或已过期。请检查代码，或在程序中重新开始。',
  },
};
