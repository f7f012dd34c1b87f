import type { ErrorEntry } from '@parley/base';
import { EXIT, type ExitCode } from './exit-code.ts';

interface CommandErrorEntry extends ErrorEntry {
  readonly exit: ExitCode;
}

/**
 * The codes that only the commands have, as data (HS-4). Errors of a server, a keystore, a bundle or a skill keep the code
 * and the sentence of their own table.
 */
export const ERRORS = {
  USAGE: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: 'The command was not called as its help says.',
      'zh-CN': '命令的用法不正确，请查看帮助。',
    },
  },
  CANCELLED: {
    exit: EXIT.interrupted,
    retry: false,
    text: { en: 'You cancelled. Nothing was changed.', 'zh-CN': '已取消，没有任何更改。' },
  },
  INTERRUPTED: {
    exit: EXIT.interrupted,
    retry: false,
    text: { en: 'The command was interrupted.', 'zh-CN': '命令已中断。' },
  },
  DECLINED: {
    exit: EXIT.bad,
    retry: false,
    text: { en: 'You said no. Nothing was changed.', 'zh-CN': '您选择了否，没有任何更改。' },
  },
  CONFIRMATION_NEEDED: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'Nothing was changed, because nobody has agreed yet. To install exactly this, run:\n  {command}',
      'zh-CN': '尚无人同意，因此没有任何更改。如需严格按此安装，请运行：\n  {command}',
    },
  },

  // Files
  FILE_NOT_FOUND: {
    exit: EXIT.environment,
    retry: false,
    text: { en: 'There is no file {file}.', 'zh-CN': '文件 {file} 不存在。' },
  },
  FILE_IS_DIRECTORY: {
    exit: EXIT.environment,
    retry: false,
    text: { en: '{file} is a folder. Name a file in it.', 'zh-CN': '{file} 是目录，请指定其中的文件。' },
  },
  FILE_NOT_READABLE: {
    exit: EXIT.environment,
    retry: false,
    text: { en: '{file} cannot be read ({reason}).', 'zh-CN': '无法读取 {file}（{reason}）。' },
  },
  FILE_NOT_WRITABLE: {
    exit: EXIT.environment,
    retry: false,
    text: { en: '{file} cannot be written ({reason}).', 'zh-CN': '无法写入 {file}（{reason}）。' },
  },
  FILE_UNUSABLE: {
    exit: EXIT.environment,
    retry: false,
    text: { en: '{file} cannot be used ({reason}).', 'zh-CN': '无法使用 {file}（{reason}）。' },
  },
  FILE_IS_LINK: {
    exit: EXIT.environment,
    retry: false,
    text: { en: '{file} is a link. Name the file that it leads to.', 'zh-CN': '{file} 是链接，请指定它所指向的文件。' },
  },
  FILE_NOT_REGULAR: {
    exit: EXIT.environment,
    retry: false,
    text: {
      en: '{file} is a pipe or a device. Name a regular file.',
      'zh-CN': '{file} 是管道或设备，请指定普通文件。',
    },
  },
  FILE_EXISTS: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '{file} already exists. Use --force to replace it.',
      'zh-CN': '{file} 已存在；使用 --force 可替换。',
    },
  },
  FOLDER_NOT_FOUND: {
    exit: EXIT.environment,
    retry: false,
    text: {
      en: '{file} cannot be written, because its folder does not exist.',
      'zh-CN': '无法写入 {file}：所在目录不存在。',
    },
  },
  INPUT_TOO_LARGE: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '{file} is larger than {mib} MiB, which is more than this command reads.',
      'zh-CN': '{file} 超过 {mib} MiB，超出此命令可读取的大小。',
    },
  },
  OUTPUT_FAILED: {
    exit: EXIT.environment,
    retry: false,
    text: { en: 'The output could not be written ({reason}).', 'zh-CN': '无法写出结果（{reason}）。' },
  },
  EXAMPLES_MISSING: {
    exit: EXIT.environment,
    retry: false,
    text: {
      en: 'The examples that come with this program are missing. Install @parley/cli again.',
      'zh-CN': '找不到随程序提供的示例。请重新安装 @parley/cli。',
    },
  },
  EXAMPLES_EXIST: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '{folder} already exists and is left alone. Name another one, such as: {parley} examples demo',
      'zh-CN': '{folder} 已存在，未作改动。请指定其他目录，例如：{parley} examples demo',
    },
  },

  // Accounts and servers
  SERVER_ADDRESS_INVALID: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: '{url} is not the address of a server. Use https://…, or http:// for this machine, without a password.',
      'zh-CN': '{url} 不是服务器地址：应为 https://…，或本机的 http://，且不含密码。',
    },
  },
  NOT_SIGNED_IN: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'You are not signed in to {url}. Sign in with: {command}',
      'zh-CN': '尚未登录 {url}。登录命令：{command}',
    },
  },
  SECRETS_DIFFER: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'The two entries differ. Nothing was changed; please try again.',
      'zh-CN': '两次输入不一致，未做任何更改，请重试。',
    },
  },
  CREDENTIALS_EXPOSED: {
    exit: EXIT.environment,
    retry: false,
    text: {
      en: 'Others can read {file}, which holds your tokens. Fix its permissions with: chmod 600 {file}',
      'zh-CN': '他人可以读取 {file}，而其中有您的令牌。请修改权限：chmod 600 {file}',
    },
  },
  CREDENTIALS_DAMAGED: {
    exit: EXIT.environment,
    retry: false,
    text: {
      en: '{file} is damaged. Delete it and sign in again.',
      'zh-CN': '{file} 已损坏。请删除它并重新登录。',
    },
  },
  ACCOUNT_UNKNOWN: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'There is no account with the address {email}.',
      'zh-CN': '没有使用地址 {email} 的账户。',
    },
  },
  SERVER_RUNNING: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'The server is running (process {pid}). Stop it first: {parley} stop',
      'zh-CN': '服务器正在运行（进程 {pid}）。请先停止：{parley} stop',
    },
  },
  KEYSTORE_IN_THE_WAY: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '{folder} holds other keys of the same agent. Nothing was restored. Move the data folder away, or use another one.',
      'zh-CN': '{folder} 中有同一 Agent 的其他密钥。没有恢复任何内容。请移走数据目录，或使用其他目录。',
    },
  },

  // Devices and agents
  NO_DEVICE: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'This machine is not a device at {url}, so it has no audit log. Make it one with: {parley} login',
      'zh-CN': '本机不是 {url} 的设备，因此没有审计日志。成为设备：{parley} login',
    },
  },
  DEVICE_READY: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'This device needs no recovery: it belongs to your account already. To remove another one: {parley} devices revoke',
      'zh-CN': '此设备无需恢复：它已是您账户的设备。移除其他设备：{parley} devices revoke',
    },
  },
  DEVICE_NOT_LISTED: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '“{name}” has not been approved yet. Approve it first: {parley} devices approve {id}',
      'zh-CN': '“{name}”尚未批准。请先批准：{parley} devices approve {id}',
    },
  },
  UNKNOWN_CONTACT: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'There is nobody of this name or id, or more than one.',
      'zh-CN': '没有此名字或 ID 对应的人，或匹配到多个。',
    },
  },
  DEVICE_IS_THIS: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'This is the device that you are using. To remove it: {parley} logout --forget',
      'zh-CN': '这是您正在使用的设备。移除它：{parley} logout --forget',
    },
  },
  RECOVERY_NOT_HERE: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'The recovery secret is not on this machine: it was saved before, or made on another device. There is only one for the account, so look for your copy.',
      'zh-CN': '恢复密钥不在本机：它已被保存，或在另一台设备上生成。每个账户只有一个，请查找您保存的那一份。',
    },
  },
  RECOVERY_UNSAVED: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'You have not saved the recovery secret of your account, and this machine may have the only copy. Nothing was removed. Save it first: {parley} recovery save FILE\nTo remove the device anyway, add --yes.',
      'zh-CN':
        '您尚未保存账户的恢复密钥，本机可能有唯一的一份，因此未移除任何内容。请先保存：{parley} recovery save 文件\n如仍要移除此设备，请加 --yes。',
    },
  },
  AGENT_UNKNOWN: {
    exit: EXIT.bad,
    retry: false,
    text: { en: 'No agent with this name was found.', 'zh-CN': '没有找到这个名称的 Agent。' },
  },
  AGENT_NOT_ADDED: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'You have not added this agent. Add it with {parley} chat, or say what it can do with --grant.',
      'zh-CN': '您尚未添加该 Agent。请用 {parley} chat 添加，或用 --grant 指定允许它做什么。',
    },
  },
  SETTING_EXISTS: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '{file} already has a value for {name}, which would be lost. Remove that line, or name another file.',
      'zh-CN': '{file} 中已有 {name} 的值，继续会丢失它。请删除该行，或指定另一个文件。',
    },
  },
  SETTINGS_OF_OTHER_AGENT: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '{file} has the settings of another agent, which would be lost. Name another file.',
      'zh-CN': '{file} 中是另一个 Agent 的设置，继续会丢失它们。请指定另一个文件。',
    },
  },
  SETTINGS_UNCLEAR: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '{file} names a setting of Parley inside a quoted text of several lines, so it cannot be changed safely. Name another file.',
      'zh-CN': '{file} 在跨多行的引号文本中提到了 Parley 的设置，无法安全修改。请指定另一个文件。',
    },
  },
  SETTING_UNSAFE: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '{name} has characters that no setting of Parley has, such as a line break. Nothing was written. If the server sent it, do not trust that server.',
      'zh-CN':
        '{name} 含有 Parley 的设置中不会出现的字符（例如换行），因此没有写入任何内容。如果它来自服务器，请不要信任该服务器。',
    },
  },
  NO_KEYS: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'The agent has no keys yet. Start it once, so that it creates and publishes them.',
      'zh-CN': '该 Agent 还没有密钥。请先启动一次：它会生成并公布密钥。',
    },
  },
  FINGERPRINT_DIFFERS: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'The server shows a different key than this fingerprint. Do not share a link before you know why.',
      'zh-CN': '服务器提供的密钥与该指纹不符。请勿分发链接，先查明原因。',
    },
  },
  REPLACED: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'You are watching agents in too many places, so this one was closed. Close some of them and try again.',
      'zh-CN': '您在过多的位置查看 Agent，此处已结束。请关闭一些后重试。',
    },
  },
  BREAKING: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'This change is breaking: people would have to agree again. Add --yes to push it anyway.',
      'zh-CN': '此更改不兼容：用户必须重新授权。如确需推送，请加 --yes。',
    },
  },

  // Bundles
  WORKSPACE_UNKNOWN: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: 'No workspace is set. Run {roleos} init, or name one with --workspace.',
      'zh-CN': '尚未设置工作区。请先运行 {roleos} init，或用 --workspace 指定。',
    },
  },
  CONFIG_DAMAGED: {
    exit: EXIT.environment,
    retry: false,
    text: {
      en: '{file} is damaged. Delete it, then run: {roleos} init',
      'zh-CN': '{file} 已损坏。请删除它，然后运行：{roleos} init',
    },
  },
  DOWNLOAD_FAILED: {
    exit: EXIT.environment,
    retry: true,
    text: { en: '{url} could not be downloaded. {reason}', 'zh-CN': '无法下载 {url}。{reason}' },
  },
  BUNDLE_UNKNOWN: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'The registry {url} has no bundle {id}. If you mean a folder, write ./{id}',
      'zh-CN': '注册中心 {url} 没有套件 {id}。若指同名目录，请写作 ./{id}',
    },
  },
  REGISTRY_INVALID: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'What the registry sent for {id} does not match its own digest. Nothing was changed.',
      'zh-CN': '注册中心发来的 {id} 与其自身的摘要不符。没有任何更改。',
    },
  },
  INSTALL_BLOCKED: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'The bundle cannot be installed as it is; the reasons are listed above. Nothing was changed.',
      'zh-CN': '目前无法安装该套件，原因见上。没有任何更改。',
    },
  },
  BUNDLE_DRIFTED: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'The files of {id} have changed since it was installed, so it was not started. See: {roleos} status',
      'zh-CN': '{id} 的文件在安装后有改动，因此没有启动。参见：{roleos} status',
    },
  },
  PROJECTION_INVALID: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'The bundle {id} is too large for the manifest of an agent.',
      'zh-CN': '套件 {id} 过大，无法作为 Agent 的能力清单。',
    },
  },
  KIT_EXISTS: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: 'The bundle already has a kit {kit}. Use --force to replace it.',
      'zh-CN': '该套件已有能力包 {kit}；使用 --force 可替换。',
    },
  },

  // Skills
  SOURCE_UNKNOWN: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: '{source} is neither a file nor an address nor the id of a skill.',
      'zh-CN': '{source} 既不是文件、网址，也不是技能的 id。',
    },
  },
  INPUT_INVALID: {
    exit: EXIT.bad,
    retry: false,
    text: { en: '{file} is not a JSON object of inputs.', 'zh-CN': '{file} 不是由输入组成的 JSON 对象。' },
  },
  KEYS_INVALID: {
    exit: EXIT.bad,
    retry: false,
    text: {
      en: '{file} is not a list of API keys. Create one with: {parley} skill key',
      'zh-CN': '{file} 不是 API 密钥列表。创建命令：{parley} skill key',
    },
  },
  HANDLER_UNUSABLE: {
    exit: EXIT.environment,
    retry: false,
    text: { en: '{file} cannot be used as a handler: {reason}', 'zh-CN': '{file} 不能用作处理函数：{reason}' },
  },
  AUTH_UNCONFIGURED: {
    exit: EXIT.usage,
    retry: false,
    text: {
      en: 'The skill asks its callers for credentials, but nothing says how to check them ({reason}). See: {parley} help skill serve',
      'zh-CN': '该技能要求调用者提供凭证，但没有指定如何验证（{reason}）。参见：{parley} help skill serve',
    },
  },
  CANNOT_SERVE: {
    exit: EXIT.environment,
    retry: false,
    text: { en: 'The skill cannot be served ({reason}).', 'zh-CN': '无法提供该技能（{reason}）。' },
  },
} as const satisfies Readonly<Record<string, CommandErrorEntry>>;

export type CommandErrorCode = keyof typeof ERRORS;
