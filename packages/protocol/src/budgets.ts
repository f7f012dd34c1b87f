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
    text: { en: 'Frames and messages a second', 'zh-CN': '每秒帧数和消息数' },
    refused: { en: 'Frames are refused for a moment.', 'zh-CN': '暂时拒绝新的帧。' },
  },
  bytes_per_second: {
    kind: 'rate',
    unit: 'bytes',
    default: 2 * 1024 * 1024,
    seconds: 1,
    burst: 10,
    text: { en: 'Bytes sent a second', 'zh-CN': '每秒发送字节数' },
    refused: { en: 'Frames are refused for a moment.', 'zh-CN': '暂时拒绝新的帧。' },
  },
  bytes_passed_on_per_second: {
    kind: 'rate',
    unit: 'bytes',
    default: 8 * 1024 * 1024,
    seconds: 1,
    burst: 4,
    text: { en: 'Bytes passed on to open sockets a second', 'zh-CN': '每秒转发给在线连接的字节数' },
    refused: { en: 'Messages are refused for a moment.', 'zh-CN': '暂时拒绝新的消息。' },
  },
  bytes_stored: {
    kind: 'stored',
    unit: 'bytes',
    default: 2 * 1024 * 1024 * 1024,
    text: { en: 'Bytes stored', 'zh-CN': '已存储字节数' },
    refused: {
      en: 'Whatever would store more is refused until something is deleted, collected, or old enough to go.',
      'zh-CN': '在删除内容、消息被取走或旧内容到期之前，拒绝一切新的存储。',
    },
  },
  agents: {
    kind: 'stored',
    unit: 'agents',
    default: 500,
    text: { en: 'Agents', 'zh-CN': 'Agent' },
    refused: { en: 'A new agent is refused.', 'zh-CN': '拒绝创建新的 Agent。' },
  },
  group_members: {
    kind: 'stored',
    unit: 'members',
    default: 10_000,
    text: { en: 'Members of groups that you began', 'zh-CN': '您创建的群组的成员数' },
    refused: {
      en: 'A new group or member is refused until some have left.',
      'zh-CN': '在有成员离开之前，拒绝新的群组和成员。',
    },
  },
  manifest_versions: {
    kind: 'stored',
    unit: 'versions',
    default: 10_000,
    text: { en: 'Versions of manifests kept', 'zh-CN': '保留的清单版本数' },
    refused: {
      en: 'The oldest versions that nobody agreed to are dropped; if there are none, the new one is refused.',
      'zh-CN': '会清除无人同意的最旧版本；如果没有，则拒绝新版本。',
    },
  },
  waiting_deliveries: {
    kind: 'stored',
    unit: 'deliveries',
    default: 10_000,
    text: { en: 'Webhook deliveries that wait', 'zh-CN': '等待中的 Webhook 投递' },
    refused: { en: 'Further deliveries are not made.', 'zh-CN': '不再产生新的投递。' },
  },
  sockets: {
    kind: 'concurrent',
    unit: 'sockets',
    default: 200,
    text: { en: 'Open sockets', 'zh-CN': '打开的 WebSocket 连接' },
    refused: { en: 'The oldest is closed and comes back later.', 'zh-CN': '最旧的连接会被关闭，稍后再连。' },
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
    text: { en: 'Milliseconds a minute to compare versions', 'zh-CN': '每分钟比较版本所用的毫秒数' },
    refused: {
      en: 'New manifests, skills and bundles are refused for a moment.',
      'zh-CN': '暂时拒绝新的清单、技能和能力包（Bundle）。',
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
