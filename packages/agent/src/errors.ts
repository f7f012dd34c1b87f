import { createErrorFactory, type ErrorTable } from '@parley/base';

/** What goes wrong in an agent. What goes wrong on the way has its codes in the messenger and the protocol. */
export const ERRORS = {
  AGENT_ID_INVALID: {
    retry: false,
    text: {
      en: 'This is not the id of an agent. It was given when the agent was created: 36 digits, letters from a to f and hyphens.',
      'zh-CN': '这不是 Agent 的编号。编号在创建 Agent 时给出：由数字、字母 a 至 f 和连字符组成，共 36 个字符。',
    },
  },
  TOKEN_REFUSED: {
    retry: false,
    text: {
      en: 'The server refuses the token of this agent: it is wrong or was revoked. With “npx @parley/cli agent token”, its owner makes a new one.',
      'zh-CN': '服务器拒绝了该 Agent 的令牌：令牌有误或已被撤销。其所有者可用“npx @parley/cli agent token”生成新令牌。',
    },
  },
  TOOL_DENIED: {
    retry: false,
    text: { en: '{tool}: denied: {detail}', 'zh-CN': '{tool}：被拒绝：{detail}' },
  },
  TOOL_FAILED: {
    retry: false,
    text: { en: '{tool}: error: {detail}', 'zh-CN': '{tool}：出错：{detail}' },
  },
  TOOL_UNANSWERED: {
    retry: false,
    text: { en: '{tool}: timeout: {detail}', 'zh-CN': '{tool}：超时：{detail}' },
  },
  WEBHOOK_PAYLOAD_INVALID: {
    retry: false,
    text: {
      en: 'The body is no delivery that this version understands. Update the SDK if the signature is good.',
      'zh-CN': '请求体不是此版本能识别的投递。如果签名正确，请更新 SDK。',
    },
  },
  DISCONNECTED: {
    retry: false,
    text: {
      en: 'The agent was disconnected. Start another one.',
      'zh-CN': 'Agent 已断开连接，请重新启动。',
    },
  },
  UNDECRYPTABLE: {
    retry: false,
    text: {
      en: 'A message could not be opened and is lost. Ask its sender to send it again.',
      'zh-CN': '有一条消息无法解密，内容已丢失。请让发送者重新发送。',
    },
  },
  DEVICE_LIST: {
    retry: false,
    text: {
      en: 'The server shows a device list of a person that is forked, shortened or wrongly signed. What was verified before still counts; a fork stops everything until the person has settled it with the recovery secret.',
      'zh-CN':
        '服务器给出的某人的设备列表出现分叉、被截短或签名有误。此前已验证的内容仍然有效；若出现分叉，则一切停止，直到本人用恢复密钥裁定。',
    },
  },
  ROW: {
    retry: false,
    text: {
      en: 'What the server says about a conversation or relation contradicts what was signed or seen before, and is refused.',
      'zh-CN': '服务器关于某个会话或关系的说法与已签名或先前所见的内容矛盾，已被拒绝。',
    },
  },
  MEMBERS: {
    retry: false,
    text: {
      en: 'The server names members of a group whom nobody signed. They are given no key.',
      'zh-CN': '服务器列出的某些群成员未经任何人签名确认，不会获得密钥。',
    },
  },
  CLOCK: {
    retry: false,
    text: {
      en: 'The clock of this machine and the server’s differ by more than a day. Nothing old is cleaned up until they agree. Check the clock.',
      'zh-CN': '本机时钟与服务器相差超过一天。在两者一致之前，不会清理任何旧数据。请检查时钟。',
    },
  },
  GONE: {
    retry: false,
    text: {
      en: 'Messages were no longer kept by the server when the agent came back.',
      'zh-CN': 'Agent 重新上线时，服务器已不再保存部分消息。',
    },
  },
  UNSENT: {
    retry: false,
    text: {
      en: 'A message of an earlier run could not be sent. Send it again if it still matters.',
      'zh-CN': '上次运行时的一条消息未能发送。如仍需要，请重新发送。',
    },
  },
  STORE: {
    retry: false,
    text: {
      en: 'The keystore cannot be written. Nothing is sent or received until the agent is started again.',
      'zh-CN': '无法写入密钥库。在重新启动 Agent 之前，不会收发任何消息。',
    },
  },
  RUNTIME_UNSUPPORTED: {
    retry: false,
    text: {
      en: 'HasheeAgent keeps its keys in files, and this runtime has none that last. Use WebhookAgent of @parley/agent/webhook, and give it a keystore over the storage that there is.',
      'zh-CN':
        'HasheeAgent 把密钥保存在文件中，而此运行时没有持久的文件。请使用 @parley/agent/webhook 中的 WebhookAgent，并为其提供基于现有存储的密钥库。',
    },
  },
  CONNECTION: {
    retry: true,
    text: {
      en: 'The connection failed; it is tried again.',
      'zh-CN': '连接失败，正在重试。',
    },
  },
} as const satisfies ErrorTable;

export const agentError = createErrorFactory(ERRORS);
