import type { Locale } from '@parley/base';

/** Guesses the language of the author. */
export function localeOf(text: string): Locale {
  return /\p{Script=Han}/u.test(text) ? 'zh-CN' : 'en';
}

const en = {
  help: [
    'I look after your agents. For example, say:',
    '',
    '- update DemoBot’s capability manifest',
    '- create an agent called Weather',
    '- rotate the token of DemoBot',
    '- switch DemoBot to webhook',
    '- list my agents',
    '- which agents have I added?',
    '',
    'I only see what your device shows me, and your device asks you before I change anything. Tokens and secrets appear on your device. I never get them.',
  ].join('\n'),
  notUnderstood: 'I didn’t understand that.',
  cancel: 'Cancel',
  cancelled: 'All right, nothing was changed.',
  cardGone:
    'This card is no longer open: you’ve already answered it, or I was restarted. Nothing was changed. Just ask me again.',
  name: 'Name',
  agent: 'Agent',
  choose: 'Choose',
  whichAgent: 'Which agent?',
  noAgents: 'You have no agents yet. Say “create an agent called …”.',
  noSuchAgent: (name: string, yours: string) => `You have no agent called “${name}”. Yours: ${yours}.`,

  formTitle: (name: string) => `Capability manifest of ${name}`,
  formLead: (version: number) =>
    version === 0
      ? 'It has none yet. Paste the JSON here.'
      : `It’s at version ${version}. Paste the whole new manifest here as JSON. You’ll see what changes before anything is applied.`,
  formAgain: 'This isn’t a valid manifest yet:',
  manifest: 'Manifest (JSON)',
  check: 'Check and compare',
  moreFindings: (count: number) => `… and ${count} more`,
  unchanged: (name: string) => `${name} already has this manifest. Nothing was changed.`,
  diffTitle: (name: string, next: number) => `${name}: version ${next}`,
  first: 'This agent’s first manifest.',
  breaking: 'Breaking: everyone who uses the agent is asked again about what changed for them.',
  compatible: 'Not breaking: nobody has to agree again.',
  warnings: 'Warnings',
  apply: 'Apply',
  updated: (name: string, version: number) => `Done. ${name} now has version ${version} of its capability manifest.`,
  updatedBreaking: 'Everyone who uses it is asked again about the breaking changes.',
  changedMeanwhile: 'Someone else changed the manifest in the meantime. This is the comparison with the current one:',

  createTitle: 'New agent',
  createLead: 'Its token is shown only once, on your device. I don’t see it.',
  description: 'What it does (optional)',
  visibility: 'Who can find it',
  private: 'Only me',
  public: 'Everyone',
  create: 'Create',
  nameInvalid: 'A name has 1 to 64 visible characters. Choose another one:',
  created: (name: string) =>
    `I created ${name}. Your device shows its token only this once, so save it. Next, say “update ${name}’s manifest”.`,

  rotateTitle: (name: string) => `New token for ${name}`,
  rotateLead:
    'Its current tokens stop working in an hour, and that can’t be undone. The new one is shown only once, on your device. I don’t see it.',
  rotate: 'Create a new token',
  rotated: (name: string) =>
    `${name} has a new token. Your device shows it only this once. The old ones work for another hour: restart the agent with the new one before then.`,

  webhookTitle: (name: string) => `Webhook for ${name}`,
  webhookLead: 'Where should its events be sent? Enter a public https:// address.',
  url: 'Address',
  next: 'Next',
  urlInvalid: 'This isn’t an https:// address.',
  webhookAgainTitle: (name: string) => `Send the events of ${name} there?`,
  webhookAgain:
    'With a webhook, its messages are still end-to-end encrypted, but with keys that don’t change: anyone who steals its key can read everything, including earlier messages. Everyone who uses it is told and has to agree again. The signing secret is shown only once, on your device. I don’t see it.',
  webhookGo: 'Yes, switch to webhook',
  webhookSet: (name: string, url: string) => `Events of ${name} now go to ${url}.`,
  webhookSecret:
    'Your device shows the signing secret only this once. Restart the agent as a webhook agent with this secret.',
  webhookSameSecret: 'The signing secret hasn’t changed. Restart the agent as a webhook agent.',

  agentsTitle: 'Your agents',
  agentColumns: ['Name', 'Manifest', 'Connection', 'Visible to', 'State'],
  noManifest: 'none',
  version: (version: number) => `version ${version}`,
  relationsTitle: 'Agents you’ve added',
  relationColumns: ['Name', 'Allowed', 'State'],
  noRelations: 'You haven’t added any agents.',
  nothing: 'nothing',
  pending: (count: number) => `${count} waiting for you`,
  more: 'There are more. These are the first 100.',
  states: { active: 'active', suspended: 'suspended', banned: 'banned', ended: 'ended' } as Record<string, string>,

  refused: 'All right, nothing was changed: you denied it on your device.',
  timedOut: 'Nothing was changed, because nobody answered on your device in time. Ask me again when you’re ready.',
  notGranted: 'You haven’t allowed me to do this. Turn it on in my permissions. Your device still asks you each time.',
  unavailable: 'This device can’t do that. Use Parley in a browser, or `npx @parley/cli chat`.',
  busy: (seconds: number) => `Too many requests at once. Try again in ${seconds} seconds.`,
  noAnswer:
    'Your device didn’t answer, so I don’t know whether it worked. Check with “list my agents” before you try again.',
  failed: 'Sorry, that didn’t work. Try again.',
  failedWith: (reason: string) => `That didn’t work: ${reason}`,
};

export type HasheeTexts = typeof en;

const zh: HasheeTexts = {
  help: [
    '我帮您管理您的 Agent。您可以说：',
    '',
    '- 更新 DemoBot 的能力清单',
    '- 创建一个叫 Weather 的 Agent',
    '- 更换 DemoBot 的令牌',
    '- 把 DemoBot 切换到 Webhook',
    '- 列出我的 Agent',
    '- 我添加了哪些 Agent？',
    '',
    '我只能看到您的设备给我看的内容，任何更改都会由您的设备先询问您。令牌和密钥只显示在您的设备上，不会发送给我。',
  ].join('\n'),
  notUnderstood: '我没有听懂。',
  cancel: '取消',
  cancelled: '好的，没有做任何更改。',
  cardGone: '这张卡片已失效：您可能已经回复过，或者我重启过。没有做任何更改，请重新告诉我。',
  name: '名称',
  agent: 'Agent',
  choose: '选择',
  whichAgent: '哪一个 Agent？',
  noAgents: '您还没有 Agent。可以说“创建一个叫……的 Agent”。',
  noSuchAgent: (name, yours) => `您没有名为“${name}”的 Agent。您的 Agent 有：${yours}。`,

  formTitle: (name) => `${name} 的能力清单`,
  formLead: (version) =>
    version === 0
      ? '它还没有能力清单。请在此粘贴 JSON。'
      : `当前为第 ${version} 版。请在此粘贴完整的新能力清单（JSON）。应用之前，您会先看到变更。`,
  formAgain: '这还不是有效的能力清单：',
  manifest: '能力清单（JSON）',
  check: '校验并比较',
  moreFindings: (count) => `……还有 ${count} 条`,
  unchanged: (name) => `这正是 ${name} 现有的能力清单，没有做任何更改。`,
  diffTitle: (name, next) => `${name}：第 ${next} 版`,
  first: '这是该 Agent 的第一份能力清单。',
  breaking: '不兼容：所有使用此 Agent 的人都需要对相关变更重新同意。',
  compatible: '兼容：无需任何人重新同意。',
  warnings: '警告',
  apply: '应用',
  updated: (name, version) => `已完成：${name} 的能力清单现为第 ${version} 版。`,
  updatedBreaking: '正在请它的用户对不兼容的变更重新同意。',
  changedMeanwhile: '在此期间，能力清单已被他人更改。以下是与最新版本的比较：',

  createTitle: '新的 Agent',
  createLead: '它的令牌只在您的设备上显示一次，我看不到。',
  description: '用途（可选）',
  visibility: '谁可以找到它',
  private: '仅自己',
  public: '所有人',
  create: '创建',
  nameInvalid: '名称须为 1 到 64 个可见字符，请换一个：',
  created: (name) =>
    `${name} 已创建。它的令牌只在您的设备上显示这一次，请妥善保存。接下来可以说：“更新 ${name} 的能力清单”。`,

  rotateTitle: (name) => `为 ${name} 生成新的令牌`,
  rotateLead: '现有的令牌将在一小时后失效，无法恢复。新的令牌只在您的设备上显示一次，我看不到。',
  rotate: '生成新的令牌',
  rotated: (name) =>
    `${name} 有了新的令牌，只在您的设备上显示这一次。旧令牌还能使用一小时，请在此之前用新令牌重启此 Agent。`,

  webhookTitle: (name) => `${name} 的 Webhook`,
  webhookLead: '它的事件要发送到哪里？请填写以 https:// 开头的公网地址。',
  url: '地址',
  next: '下一步',
  urlInvalid: '这不是以 https:// 开头的地址。',
  webhookAgainTitle: (name) => `确定要把 ${name} 的事件发送到那里吗？`,
  webhookAgain:
    '使用 Webhook 后，消息仍然端到端加密，但密钥长期不变：一旦密钥泄露，全部内容（包括过去的）都可能被读取。它的用户会收到通知，并需要重新同意。签名密钥只在您的设备上显示一次，我看不到。',
  webhookGo: '是的，切换到 Webhook',
  webhookSet: (name, url) => `${name} 的事件现在会发送到 ${url}。`,
  webhookSecret: '签名密钥只在您的设备上显示这一次。请用它以 Webhook 方式重启此 Agent。',
  webhookSameSecret: '签名密钥不变。请以 Webhook 方式重启此 Agent。',

  agentsTitle: '您的 Agent',
  agentColumns: ['名称', '能力清单', '连接方式', '可见范围', '状态'],
  noManifest: '无',
  version: (version) => `第 ${version} 版`,
  relationsTitle: '您添加的 Agent',
  relationColumns: ['名称', '已允许', '状态'],
  noRelations: '您还没有添加任何 Agent。',
  nothing: '无',
  pending: (count) => `${count} 项等待您确认`,
  more: '还有更多，以上是前 100 个。',
  states: { active: '正常', suspended: '已暂停', banned: '已封禁', ended: '已结束' },

  refused: '好的，没有做任何更改：您在设备上拒绝了。',
  timedOut: '没有做任何更改：您的设备上没有人及时答复。准备好后请再告诉我。',
  notGranted: '您没有授予我这项权限。请在我的权限中开启，之后您的设备仍会每次询问您。',
  unavailable: '此设备无法完成此操作。请在浏览器中使用 Parley，或运行 `npx @parley/cli chat`。',
  busy: (seconds) => `请求过多，请在 ${seconds} 秒后再试。`,
  noAnswer: '您的设备没有答复，我不知道操作是否已完成。重试之前，请先说“列出我的 Agent”查看。',
  failed: '抱歉，没有成功。请再试一次。',
  failedWith: (reason) => `没有成功：${reason}`,
};

export const TEXTS: Readonly<Record<Locale, HasheeTexts>> = { en, 'zh-CN': zh };

/** Nobody has written anything yet, so it is in both languages. */
export const GREETING = [
  '您好，我是 Hashee，可以帮您管理您的 Agent。说“帮助”看看我能做什么。我可以看到您拥有和添加了哪些 Agent。其他任何操作，您的设备每次都会询问您。您可以随时关闭权限或移除我。',
  'Hello, I’m Hashee. I help you look after your agents. Say “help” to see what I can do. I can see which agents you own and which you’ve added. For anything else, your device asks you each time. You can turn that off, or remove me, at any time.',
].join('\n\n');
