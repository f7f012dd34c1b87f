import { fillText, type Locale, type Texts } from '@parley/base';
import { displayText } from '../display-text.ts';

/** A part that differs from the document, and why. */
export interface ProjectionNote {
  readonly code: 'tool_renamed' | 'scope_renamed' | 'schema_unusable' | 'schema_assumed';
  readonly kit: string;
  readonly params: Readonly<Record<string, string>>;
  readonly message: string;
}

const NOTES: Readonly<Record<ProjectionNote['code'], Texts>> = {
  tool_renamed: {
    en: 'The kit "{kit}" becomes the tool "{name}": tools have 2 to 32 characters, a letter first, and differ from one another.',
    'zh-CN': '能力包“{kit}”对应的工具名为“{name}”：工具名须为 2 到 32 个字符、以字母开头且互不相同。',
  },
  scope_renamed: {
    en: 'The permission "{said}" of the kit "{kit}" becomes the scope "{scope}".',
    'zh-CN': '能力包“{kit}”的权限“{said}”对应的权限 id 为“{scope}”。',
  },
  schema_unusable: {
    en: 'The schema in the binding of the kit "{kit}" cannot be used; its tool takes one text.',
    'zh-CN': '能力包“{kit}”的绑定中的 Schema 无法使用，其工具只接受一段文本。',
  },
  schema_assumed: {
    en: 'The binding of the kit "{kit}" has no schema; its tool takes one text.',
    'zh-CN': '能力包“{kit}”的绑定没有 Schema，其工具只接受一段文本。',
  },
};

const SCOPE_TEXTS: Readonly<Record<string, Texts>> = {
  network: { en: 'Network', 'zh-CN': '网络' },
  filesystem: { en: 'Files', 'zh-CN': '文件' },
  process: { en: 'Programs', 'zh-CN': '程序' },
  env: { en: 'Environment variables', 'zh-CN': '环境变量' },
  secret: { en: 'Secrets', 'zh-CN': '机密' },
  clipboard: { en: 'Clipboard', 'zh-CN': '剪贴板' },
  notification: { en: 'Notifications', 'zh-CN': '通知' },
  location: { en: 'Location', 'zh-CN': '位置' },
  read: { en: 'read', 'zh-CN': '读取' },
  write: { en: 'write', 'zh-CN': '写入' },
  execute: { en: 'run', 'zh-CN': '执行' },
};

export function writeNote(
  code: ProjectionNote['code'],
  params: Readonly<Record<string, string>>,
  locale: Locale,
): string {
  return fillText(
    NOTES[code][locale],
    Object.fromEntries(Object.entries(params).map(([name, text]) => [name, displayText(text)])),
  );
}

/** Turns a scope such as `network:read` into words. */
export function scopeLabel(id: string): { en: string; 'zh-CN': string } {
  const [domain, action] = id.split(':') as [string, string];
  const say = (word: string, locale: Locale) => (Object.hasOwn(SCOPE_TEXTS, word) ? SCOPE_TEXTS[word]![locale] : word);
  return {
    en: `${say(domain, 'en')}: ${say(action, 'en')}`,
    'zh-CN': `${say(domain, 'zh-CN')}：${say(action, 'zh-CN')}`,
  };
}
