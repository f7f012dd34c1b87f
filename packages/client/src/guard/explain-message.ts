import type { Locale, Texts } from '@parley/base';
import { displayText } from '@parley/documents';
import type { ToolResponse } from '@parley/protocol';

/**
 * What a device tells an agent is English, and speaks of "the person": here is the same for that person. By the English
 * sentence, because that is what travels, also from another device.
 */
const SENTENCES: readonly (readonly [told: string | RegExp, texts: Texts])[] = [
  [
    'This browser has not been allowed to show notifications.',
    { en: 'This browser isn’t allowed to show notifications.', 'zh-CN': '此浏览器不允许显示通知。' },
  ],
  [
    'This browser shows no notifications here.',
    { en: 'This browser can’t show notifications here.', 'zh-CN': '此浏览器在这里无法显示通知。' },
  ],
  [
    'The browser does not let the clipboard be read now.',
    { en: 'The browser didn’t let Parley read the clipboard.', 'zh-CN': '浏览器没有允许 Parley 读取剪贴板。' },
  ],
  [
    'The browser did not say where this device is.',
    { en: 'The browser didn’t say where you are.', 'zh-CN': '浏览器没有提供您的位置。' },
  ],
  ['The location is not known.', { en: 'Your location isn’t known.', 'zh-CN': '无法得知您的位置。' }],
  ['The person did not choose a file.', { en: 'You didn’t choose a file.', 'zh-CN': '您没有选择文件。' }],
  [
    /^(The file|It) has more than \d+ bytes, which an answer cannot carry\.$|^The result is larger than the \d+ KB /,
    { en: 'It’s too large to be sent to the agent.', 'zh-CN': '内容太大，无法发送给 Agent。' },
  ],
  ['What was copied is not text.', { en: 'What you copied isn’t text.', 'zh-CN': '您复制的内容不是文本。' }],
  ['The site cannot be reached.', { en: 'Can’t reach the site.', 'zh-CN': '无法连接到该网站。' }],
  ['The site took too long to answer.', { en: 'The site took too long to answer.', 'zh-CN': '网站没有及时响应。' }],
  [
    /^This address cannot be opened(?: from here)?: only https on the public internet can\.$/,
    {
      en: 'This address can’t be opened: only secure (https) addresses on the public internet can.',
      'zh-CN': '无法打开此地址：只能打开公共互联网上的安全（https）地址。',
    },
  ],
  ['The page could not be fetched.', { en: 'The page couldn’t be loaded.', 'zh-CN': '无法打开此网页。' }],
  [
    'The site redirects too often, or to an address that cannot be opened.',
    {
      en: 'The site redirects too often, or to an address that can’t be opened.',
      'zh-CN': '该网站跳转次数过多，或跳转到了无法打开的地址。',
    },
  ],
  [
    'The site sent a compressed answer although none was asked for.',
    { en: 'The site’s answer couldn’t be read.', 'zh-CN': '无法读取网站的响应。' },
  ],
  [
    'This path is not inside a folder that the person lets agents read.',
    { en: 'The file isn’t in a folder you let agents read.', 'zh-CN': '文件不在您允许 Agent 读取的文件夹中。' },
  ],
  ['There is no such file.', { en: 'This file doesn’t exist.', 'zh-CN': '此文件不存在。' }],
  ['This is not an ordinary file.', { en: 'This isn’t an ordinary file.', 'zh-CN': '这不是普通文件。' }],
  ['The file cannot be read.', { en: 'The file couldn’t be read.', 'zh-CN': '无法读取此文件。' }],
  ['You have no agent with this id.', { en: 'You have no agent with this ID.', 'zh-CN': '您没有此 ID 的 Agent。' }],
  [
    'The agent with this id has another name. Look for it again.',
    { en: 'Your agent with this ID has another name.', 'zh-CN': '此 ID 的 Agent 名称不同。' },
  ],
  [
    'A program of this device failed.',
    { en: 'A program on this device failed.', 'zh-CN': '此设备上的一个程序运行失败。' },
  ],
  [
    'The person stopped the tool while it was running; part of it may have been done.',
    {
      en: 'You stopped it while it was running. Part of it may have been done.',
      'zh-CN': '您在执行过程中停止了它，部分操作可能已经完成。',
    },
  ],
  [
    'The device stopped while the tool was running; whether it finished is not known.',
    {
      en: 'Parley was closed while it was running, so it isn’t known whether it finished.',
      'zh-CN': '执行过程中 Parley 被关闭，无法得知是否已完成。',
    },
  ],
  [
    'The disk of the device is full. Nothing is run there until its owner has made room.',
    { en: 'The disk is full. Make room, then try again.', 'zh-CN': '磁盘已满。请清理空间后再试。' },
  ],
  [
    /^The tool gave a result that cannot be sent\.$|^The result is nested deeper than /,
    { en: 'The result can’t be sent to the agent.', 'zh-CN': '结果无法发送给 Agent。' },
  ],
  ['This is no web address.', { en: 'This isn’t a web address.', 'zh-CN': '这不是网址。' }],
  ['The call was stopped.', { en: 'It was stopped.', 'zh-CN': '已停止。' }],
  [
    'The call was answered before; its result is no longer kept.',
    {
      en: 'The agent asked for this before. The result is no longer kept here.',
      'zh-CN': '此 Agent 之前已提出过这个请求，结果已不再保存。',
    },
  ],
  [
    'The device could not record the call.',
    { en: 'It couldn’t be written to the log on this device.', 'zh-CN': '无法写入此设备上的日志。' },
  ],
  [
    /^(The tool failed on this device|The device could not handle the call)\.$/,
    { en: 'Something went wrong on this device.', 'zh-CN': '此设备上出现了问题。' },
  ],
];

/**
 * Says to the person what their device told the agent; undefined where that is only for the agent, such as what is wrong with
 * the values that it sent. Words of an unknown tool are shown as they are to those who read English.
 */
export function explainMessage(
  { message, error_code }: Pick<ToolResponse, 'message' | 'error_code'>,
  locale: Locale,
): string | undefined {
  if (message === undefined) return undefined;
  const found = SENTENCES.find(([told]) => (typeof told === 'string' ? told === message : told.test(message)));
  if (found !== undefined) return found[1][locale];
  return locale === 'en' && error_code !== 'TOOL_INVALID_ARGUMENTS' ? displayText(message, 400) : undefined;
}
