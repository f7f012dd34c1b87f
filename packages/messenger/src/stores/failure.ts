import { fillText, type Locale } from '@parley/base';

export type StoreFailureCode = keyof typeof TEXTS;

/** Words for whoever runs the agent or the device: what it is, and what to do. */
const TEXTS = {
  STORE_HELD: {
    en: 'The keystore {place} is in use by process {pid} on {host}. Two processes on one keystore would break its encryption: stop that process, or give each its own keystore.',
    'zh-CN':
      '密钥库 {place} 正被 {host} 上的进程 {pid} 使用。两个进程共用一个密钥库会破坏加密：请停止该进程，或让每个进程使用各自的密钥库。',
  },
  STORE_BUSY: {
    en: 'The keystore {place} is open in another tab or window. Close it there and try again.',
    'zh-CN': '密钥库 {place} 已在另一个标签页或窗口中打开。请在那里关闭后重试。',
  },
  STORE_LOST: {
    en: 'The keystore {place} was taken over by someone else. Nothing more is written here: open it again.',
    'zh-CN': '密钥库 {place} 已被其他进程或标签页接管，此处不再写入：请重新打开。',
  },
  STORE_EXPOSED: {
    en: 'Others on this machine can reach {place}, which holds private keys. Run: chmod {mode} {place}',
    'zh-CN': '本机其他用户可以访问 {place}，其中存有私钥。请运行：chmod {mode} {place}',
  },
  STORE_NOT_OURS: {
    en: '{place} is no keystore. Choose an empty folder, or one that a keystore made.',
    'zh-CN': '{place} 不是密钥库。请选择一个空文件夹，或由密钥库创建的文件夹。',
  },
  STORE_DAMAGED: {
    en: 'The keystore {place} is damaged, and not merely at its end as after a crash. Restore it from a backup, or begin a new one.',
    'zh-CN': '密钥库 {place} 已损坏，且并非崩溃后仅末尾不完整。请从备份恢复，或新建一个。',
  },
  STORE_FAILED: {
    en: 'The keystore {place} could not be written ({reason}). Make room or repair the disk, then open it again.',
    'zh-CN': '无法写入密钥库 {place}（{reason}）。请清理空间或修复磁盘，然后重新打开。',
  },
  STORE_CLOSED: {
    en: 'The keystore {place} was closed.',
    'zh-CN': '密钥库 {place} 已关闭。',
  },
  BACKUP_FORMAT: {
    en: 'This is no backup of ours, or it is cut short.',
    'zh-CN': '这不是我们的备份，或内容不完整。',
  },
  BACKUP_VERSION: {
    en: 'This backup is of version {version}; this program reads version {known}. Update it.',
    'zh-CN': '此备份的版本为 {version}；本程序只能读取版本 {known}。请更新程序。',
  },
  BACKUP_REFUSED: {
    en: 'The passphrase is wrong, or the backup was altered.',
    'zh-CN': '密码短语不正确，或备份被改动过。',
  },
  BACKUP_WEAK: {
    en: 'The passphrase is too short: it is all that protects the keys. Use at least {length} characters.',
    'zh-CN': '密码短语太短：它是密钥的唯一保护。请使用至少 {length} 个字符。',
  },
  BACKUP_TARGET: {
    en: 'The keystore already holds keys. Restore into an empty one.',
    'zh-CN': '密钥库中已有密钥。请恢复到空的密钥库中。',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Locale, string>>>>;

type Params = Readonly<Record<string, string | number>>;

/** Told apart by `code`; `message` is the English sentence. Holds no value of the store. */
export class StoreFailure extends Error {
  readonly code: StoreFailureCode;
  readonly params: Params;

  constructor(code: StoreFailureCode, params: Params = {}, cause?: unknown) {
    super(explain(code, params, 'en'), cause === undefined ? {} : { cause });
    this.name = 'StoreFailure';
    this.code = code;
    this.params = params;
  }
}

/** The sentence for a person. */
export function explainStoreFailure({ code, params }: StoreFailure, locale: Locale): string {
  return explain(code, params, locale);
}

function explain(code: StoreFailureCode, params: Params, locale: Locale): string {
  return fillText(TEXTS[code][locale], params);
}
