import type { Locale } from '@parley/base';

/** Guesses the language of the author. */
export function localeOf(text: string): Locale {
  return /\p{Script=Han}/u.test(text) ? 'zh-CN' : 'en';
}

const en = {
  help: [
    'I look after your agents. Say, for example:',
    '',
    '- update DemoBot’s manifest',
    '- create an agent called Weather',
    '- rotate the token of DemoBot',
    '- switch DemoBot to webhook',
    '- list my agents',
    '- which agents have I added?',
    '',
    'I only see what your device shows me, and whatever I change, your device asks you first. Tokens and secrets appear on your device and are never sent to me.',
  ].join('\n'),
  notUnderstood: 'I did not understand that.',
  cancel: 'Cancel',
  cancelled: 'Fine, nothing was changed.',
  cardGone:
    'This card is no longer open: it was answered already, or I have been restarted. Nothing was changed; just ask again.',
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
      : `Version ${version} is current. Paste the whole new manifest as JSON here; you will see what changes before anything is changed.`,
  formAgain: 'This is not a valid manifest yet:',
  manifest: 'Manifest (JSON)',
  check: 'Check and compare',
  moreFindings: (count: number) => `… and ${count} more`,
  unchanged: (name: string) => `${name} already has this manifest. Nothing was changed.`,
  diffTitle: (name: string, next: number) => `${name}: version ${next}`,
  first: 'The first manifest of this agent.',
  breaking: 'Breaking: everyone who uses the agent will be asked again about what changed for them.',
  compatible: 'Not breaking: nobody has to agree again.',
  warnings: 'Warnings',
  apply: 'Apply',
  updated: (name: string, version: number) => `Done: ${name} now has version ${version} of its manifest.`,
  updatedBreaking: 'Its users are being asked again about what is breaking.',
  changedMeanwhile:
    'Someone else has changed the manifest in the meantime. This is the comparison with the current one:',

  createTitle: 'A new agent',
  createLead: 'Its token will be shown on your device, once. I will not see it.',
  description: 'What it does (optional)',
  visibility: 'Who can find it',
  private: 'Only me',
  public: 'Everyone',
  create: 'Create',
  nameInvalid: 'A name has 1 to 64 visible characters. Please choose another one:',
  created: (name: string) =>
    `${name} is created. Your device shows its token this once; keep it. Next: “update ${name}’s manifest”.`,

  rotateTitle: (name: string) => `A new token for ${name}`,
  rotateLead:
    'The tokens it has now stop working in an hour, and nothing brings them back. The new one is shown on your device, once; I will not see it.',
  rotate: 'Make a new token',
  rotated: (name: string) =>
    `${name} has a new token. Your device shows it this once. The old ones work for another hour: restart the agent with the new one before then.`,

  webhookTitle: (name: string) => `Webhook of ${name}`,
  webhookLead: 'Where should its events be sent? An https address on the public internet.',
  url: 'Address',
  next: 'Next',
  urlInvalid: 'This is not an https address.',
  webhookAgainTitle: (name: string) => `Really send events of ${name} there?`,
  webhookAgain:
    'Once the agent runs in webhook mode, its messages are still end-to-end encrypted, but with keys that do not change: whoever steals its key can read everything, including earlier messages. Its users are told and have to agree again. The signing secret is shown on your device, once; I will not see it.',
  webhookGo: 'Yes, switch to webhook',
  webhookSet: (name: string, url: string) => `Events of ${name} now go to ${url}.`,
  webhookSecret:
    'Your device shows the signing secret this once. Restart the agent with connectionMode “webhook” and this secret.',
  webhookSameSecret: 'The signing secret has not changed. Restart the agent with connectionMode “webhook”.',

  agentsTitle: 'Your agents',
  agentColumns: ['Name', 'Manifest', 'Connection', 'Visible to', 'State'],
  noManifest: 'none',
  version: (version: number) => `version ${version}`,
  relationsTitle: 'Agents you have added',
  relationColumns: ['Name', 'Granted', 'State'],
  noRelations: 'You have added no agents.',
  nothing: 'nothing',
  pending: (count: number) => `${count} waiting for you`,
  more: 'There are more; these are the first 100.',
  states: { active: 'active', suspended: 'suspended', banned: 'banned', ended: 'ended' } as Record<string, string>,

  refused: 'Fine, nothing was changed: you denied it on your device.',
  timedOut: 'Nothing was changed: nobody answered on your device in time. Ask me again when you are ready.',
  notGranted: 'You have not granted me this. Open my permissions to allow it; your device still asks each time.',
  unavailable: 'This device cannot do that for me. Use the Parley web client or `npx @parley/cli chat`.',
  busy: (seconds: number) => `Too many requests at once. Please try again in ${seconds} s.`,
  noAnswer:
    'Your device did not answer, so I do not know whether it was done. Look at “list my agents” before you try again.',
  failed: 'Sorry, that did not work. Please try again.',
  failedWith: (reason: string) => `That did not work: ${reason}`,
};

export type HasheeTexts = typeof en;

const zh: HasheeTexts = {
  help: [
    '我帮你管理你的 Agent。你可以说，例如：',
    '',
    '- 更新 DemoBot 的 Capability Manifest',
    '- 创建一个叫 Weather 的 Agent',
    '- 轮换 DemoBot 的 token',
    '- 把 DemoBot 切换到 webhook',
    '- 列出我的 Agent',
    '- 我添加了哪些 Agent？',
    '',
    '我只能看到你的设备给我看的内容；任何更改，你的设备都会先询问你。token 和密钥只显示在你的设备上，不会发送给我。',
  ].join('\n'),
  notUnderstood: '我没有听懂。',
  cancel: '取消',
  cancelled: '好的，没有做任何更改。',
  cardGone: '这张卡片已失效：可能已经回复过，或者我重启过。没有做任何更改，请重新告诉我。',
  name: '名称',
  agent: 'Agent',
  choose: '选择',
  whichAgent: '哪一个 Agent？',
  noAgents: '你还没有 Agent。可以说“创建一个叫……的 Agent”。',
  noSuchAgent: (name, yours) => `你没有名为“${name}”的 Agent。你的 Agent 有：${yours}。`,

  formTitle: (name) => `${name} 的能力清单`,
  formLead: (version) =>
    version === 0
      ? '它还没有能力清单。请在此粘贴 JSON。'
      : `当前为第 ${version} 版。请在此粘贴完整的新清单（JSON）；在做任何更改之前，你会先看到差异。`,
  formAgain: '这还不是有效的能力清单：',
  manifest: '能力清单（JSON）',
  check: '校验并比较',
  moreFindings: (count) => `……还有 ${count} 条`,
  unchanged: (name) => `这正是 ${name} 现有的清单，没有做任何更改。`,
  diffTitle: (name, next) => `${name}：第 ${next} 版`,
  first: '这是该 Agent 的第一份能力清单。',
  breaking: '不兼容的更改：所有使用该 Agent 的人都需要就相关更改重新授权。',
  compatible: '兼容的更改：无需任何人重新授权。',
  warnings: '警告',
  apply: '应用',
  updated: (name, version) => `已完成：${name} 的能力清单现为第 ${version} 版。`,
  updatedBreaking: '正在请它的用户就不兼容的更改重新授权。',
  changedMeanwhile: '在此期间清单已被他人更改。以下是与最新版本的比较：',

  createTitle: '新的 Agent',
  createLead: '它的 token 只会在你的设备上显示一次，我不会看到。',
  description: '用途（可选）',
  visibility: '谁可以找到它',
  private: '仅自己',
  public: '所有人',
  create: '创建',
  nameInvalid: '名称须为 1 到 64 个可见字符，请换一个：',
  created: (name) =>
    `${name} 已创建。你的设备会显示它的 token，仅此一次，请妥善保存。接下来可以说：“更新 ${name} 的能力清单”。`,

  rotateTitle: (name) => `为 ${name} 生成新的 token`,
  rotateLead: '现有的 token 将在一小时后失效，且无法恢复。新的 token 只会在你的设备上显示一次，我不会看到。',
  rotate: '生成新的 token',
  rotated: (name) =>
    `${name} 有了新的 token，你的设备会显示它，仅此一次。旧 token 还能使用一小时，请在此之前用新 token 重启该 Agent。`,

  webhookTitle: (name) => `${name} 的 webhook`,
  webhookLead: '它的事件要发送到哪里？请填写公网上的 https 地址。',
  url: '地址',
  next: '下一步',
  urlInvalid: '这不是 https 地址。',
  webhookAgainTitle: (name) => `确定要把 ${name} 的事件发送到那里吗？`,
  webhookAgain:
    '该 Agent 以 webhook 模式运行后，消息仍然端到端加密，但密钥长期不变：一旦其密钥泄露，全部内容（包括过去的）都可能被读取。它的用户会收到通知，并需要重新授权。签名密钥只会在你的设备上显示一次，我不会看到。',
  webhookGo: '是的，切换到 webhook',
  webhookSet: (name, url) => `${name} 的事件现在会发送到 ${url}。`,
  webhookSecret: '你的设备会显示签名密钥，仅此一次。请用该密钥并将 connectionMode 设为 “webhook” 重启该 Agent。',
  webhookSameSecret: '签名密钥不变。请将 connectionMode 设为 “webhook” 重启该 Agent。',

  agentsTitle: '你的 Agent',
  agentColumns: ['名称', '能力清单', '连接方式', '可见范围', '状态'],
  noManifest: '无',
  version: (version) => `第 ${version} 版`,
  relationsTitle: '你添加的 Agent',
  relationColumns: ['名称', '已授权', '状态'],
  noRelations: '你还没有添加任何 Agent。',
  nothing: '无',
  pending: (count) => `${count} 项等待你确认`,
  more: '还有更多，以上是前 100 个。',
  states: { active: '正常', suspended: '已暂停', banned: '已封禁', ended: '已结束' },

  refused: '好的，没有做任何更改：你在设备上拒绝了。',
  timedOut: '没有做任何更改：设备上无人及时确认。准备好后请再告诉我。',
  notGranted: '你没有授予我这项权限。请在我的权限页面中允许；之后每次操作设备仍会询问你。',
  unavailable: '这台设备无法为我完成此操作。请使用 Parley 网页客户端或 `npx @parley/cli chat`。',
  busy: (seconds) => `请求过多，请在 ${seconds} 秒后再试。`,
  noAnswer: '你的设备没有回应，我不知道操作是否已完成。重试之前请先“列出我的 Agent”看看。',
  failed: '抱歉，没有成功，请再试一次。',
  failedWith: (reason) => `没有成功：${reason}`,
};

export const TEXTS: Readonly<Record<Locale, HasheeTexts>> = { en, 'zh-CN': zh };

/** Nobody has written anything yet, so it is in both languages. */
export const GREETING = [
  '你好，我是 Hashee，可以帮你管理你的 Agent；说“帮助”看看我能做什么。我可以直接读取你拥有和添加了哪些 Agent；其他任何操作，你的设备每次都会询问你。你可以随时收回权限或移除我。',
  'Hello, I am Hashee. I help you look after your agents; say “help” to see what I can do. I may read which agents you own and which you have added. For anything else your device asks you each time. You can take that back, or remove me, whenever you like.',
].join('\n\n');
