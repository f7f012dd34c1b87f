import type { Texts } from '@parley/base';

/**
 * A rate refills all the time; what is stored stays until it is deleted; what is concurrent is given back when the work
 * is done.
 */
export type BudgetKind = 'rate' | 'stored' | 'concurrent';

interface BudgetEntry {
  readonly kind: BudgetKind;
  readonly unit:
    | 'frames'
    | 'bytes'
    | 'agents'
    | 'members'
    | 'versions'
    | 'deliveries'
    | 'sockets'
    | 'connections'
    | 'ms';
  /** What an account has if an operator did not change it. */
  readonly default: number;
  /** Of a rate: the time in which the limit refills. */
  readonly seconds?: number;
  /** Of a rate: how many times its limit may be used at once after a quiet time. */
  readonly burst?: number;
  readonly text: Texts;
  /** What happens to whoever is over it. */
  readonly refused: Texts;
}

/**
 * The budgets of an account (OP-1), as data. They are for everything that counts as the account's: its devices, its
 * agents, and all of their tokens, sockets and addresses together.
 */
export const BUDGETS = {
  frames_per_second: {
    kind: 'rate',
    unit: 'frames',
    default: 500,
    seconds: 1,
    burst: 10,
    text: { en: 'Frames and messages per second', 'zh-CN': '每秒帧数和消息数' },
    refused: { en: 'Frames are refused for a moment.', 'zh-CN': '暂时拒绝新的帧。' },
  },
  bytes_per_second: {
    kind: 'rate',
    unit: 'bytes',
    default: 2 * 1024 * 1024,
    seconds: 1,
    burst: 10,
    text: { en: 'Bytes sent per second', 'zh-CN': '每秒发送字节数' },
    refused: { en: 'Frames are refused for a moment.', 'zh-CN': '暂时拒绝新的帧。' },
  },
  bytes_passed_on_per_second: {
    kind: 'rate',
    unit: 'bytes',
    default: 8 * 1024 * 1024,
    seconds: 1,
    burst: 4,
    text: { en: 'Bytes forwarded per second', 'zh-CN': '每秒转发的字节数' },
    refused: { en: 'Messages are refused for a moment.', 'zh-CN': '暂时拒绝新的消息。' },
  },
  bytes_stored: {
    kind: 'stored',
    unit: 'bytes',
    default: 2 * 1024 * 1024 * 1024,
    text: { en: 'Bytes stored', 'zh-CN': '已存储字节数' },
    refused: {
      en: 'Nothing more is stored until something is deleted, delivered or expires.',
      'zh-CN': '在删除内容、消息送达或旧内容到期之前，不再存储新的内容。',
    },
  },
  agents: {
    kind: 'stored',
    unit: 'agents',
    default: 500,
    text: { en: 'Agents', 'zh-CN': 'Agent' },
    refused: { en: 'No new agents can be created.', 'zh-CN': '无法创建新的 Agent。' },
  },
  group_members: {
    kind: 'stored',
    unit: 'members',
    default: 10_000,
    text: { en: 'Members of groups you created', 'zh-CN': '您创建的群聊的成员数' },
    refused: {
      en: 'No new groups or members can be added until some leave.',
      'zh-CN': '在有成员退出之前，无法添加新的群聊和成员。',
    },
  },
  manifest_versions: {
    kind: 'stored',
    unit: 'versions',
    default: 10_000,
    text: { en: 'Manifest versions kept', 'zh-CN': '保留的能力清单版本数' },
    refused: {
      en: 'The oldest versions nobody agreed to are deleted. If there are none, the new one is refused.',
      'zh-CN': '会删除无人同意过的最旧版本。如果没有，则拒绝新版本。',
    },
  },
  waiting_deliveries: {
    kind: 'stored',
    unit: 'deliveries',
    default: 10_000,
    text: { en: 'Waiting webhook deliveries', 'zh-CN': '等待中的 Webhook 投递' },
    refused: { en: 'No further deliveries are made.', 'zh-CN': '不再产生新的投递。' },
  },
  sockets: {
    kind: 'concurrent',
    unit: 'sockets',
    default: 200,
    text: { en: 'Open connections', 'zh-CN': '打开的连接' },
    refused: { en: 'The oldest one is closed and reconnects later.', 'zh-CN': '最旧的连接会被关闭，稍后重新连接。' },
  },
  connections: {
    kind: 'concurrent',
    unit: 'connections',
    default: 4,
    text: { en: 'Database connections at a time', 'zh-CN': '同时使用的数据库连接' },
    refused: { en: 'Requests wait for their turn.', 'zh-CN': '请求需要排队等候。' },
  },
  diff_ms_per_minute: {
    kind: 'rate',
    unit: 'ms',
    default: 15_000,
    seconds: 60,
    burst: 1,
    text: { en: 'Milliseconds per minute to compare versions', 'zh-CN': '每分钟比较版本所用的毫秒数' },
    refused: {
      en: 'New manifests, skills and bundles are refused for a moment.',
      'zh-CN': '暂时拒绝新的能力清单、技能和套件。',
    },
  },
} as const satisfies Readonly<Record<string, BudgetEntry>>;

export type BudgetName = keyof typeof BUDGETS;
type NamesOf<Kind extends BudgetKind> = {
  [Name in BudgetName]: (typeof BUDGETS)[Name]['kind'] extends Kind ? Name : never;
}[BudgetName];
export type RateBudget = NamesOf<'rate'>;
export type StoredBudget = NamesOf<'stored'>;
export type ConcurrentBudget = NamesOf<'concurrent'>;

export const BUDGET_NAMES = Object.keys(BUDGETS) as readonly BudgetName[];
