import type { Texts } from '../i18n/texts.ts';

const en = {
  nav: {
    label: 'Main',
    conversations: 'Conversations',
    agents: 'Agents',
    permissions: 'Permissions',
    audit: 'Audit log',
    developer: 'Developer',
    bundles: 'Bundles',
    skills: 'Skills',
    settings: 'Settings',
    more: 'More',
  },
  skip: 'Skip to the content',
  offline: 'Offline. You can read; what you send goes out when the connection is back.',
  connecting: 'Connecting …',
  notFound: 'There is nothing at this address.',
  home: 'Go to the conversations',
  broken: 'Something went wrong on this page.',
  reload: 'Reload',
  unreachable: 'The server cannot be reached. Check the connection and try again.',
  language: 'Language',
  theme: { label: 'Theme', system: 'As the system', light: 'Light', dark: 'Dark' },
};

export const shell: Texts<typeof en> = {
  en,
  'zh-CN': {
    nav: {
      label: '主导航',
      conversations: '会话',
      agents: 'Agent',
      permissions: '权限',
      audit: '审计日志',
      developer: '开发者',
      bundles: 'Bundle',
      skills: 'Skill',
      settings: '设置',
      more: '更多',
    },
    skip: '跳到正文',
    offline: '当前离线。您可以阅读；发送的内容会在恢复连接后送出。',
    connecting: '正在连接……',
    notFound: '此地址没有内容。',
    home: '前往会话',
    broken: '此页面出现问题。',
    reload: '重新加载',
    unreachable: '无法连接服务器。请检查网络后重试。',
    language: '语言',
    theme: { label: '主题', system: '跟随系统', light: '浅色', dark: '深色' },
  },
};
