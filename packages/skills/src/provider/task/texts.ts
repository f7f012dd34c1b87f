import type { Locale } from '@parley/base';

const en = {
  lead: 'You’re asked to do this:',
  accept: 'Accept',
  reject: 'Decline',
  form: 'Result:',
  done: 'Done',
  result: 'Result',
  again: 'The program was restarted. If you’ve already answered, please answer once more.',
  incomplete: 'Please correct: {fields}',
  finished: 'Done. Thank you.',
  rejected: 'You declined this.',
  withdrawn: 'You no longer need to do this.',
} as const;

type TaskTexts = Readonly<Record<keyof typeof en, string>>;

const zhCN: TaskTexts = {
  lead: '请您完成以下任务：',
  accept: '接受',
  reject: '拒绝',
  form: '任务结果：',
  done: '完成',
  result: '结果',
  again: '程序已重启。如果您之前已经答复，请再提交一次。',
  incomplete: '请修正：{fields}',
  finished: '已完成，谢谢。',
  rejected: '您已拒绝该任务。',
  withdrawn: '该任务已不再需要。',
};

export const TASK_TEXTS: Readonly<Record<Locale, TaskTexts>> = { en, 'zh-CN': zhCN };
