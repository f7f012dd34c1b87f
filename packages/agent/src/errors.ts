import { createErrorFactory, type ErrorTable } from '@parley/base';

/** What goes wrong in an agent. What goes wrong on the way has its codes in the messenger and the protocol. */
export const ERRORS = {
  AGENT_ID_INVALID: {
    retry: false,
    text: {
      en: 'This isn’t the ID of an agent. It was shown when the agent was created and has 36 characters: digits, letters from a to f and hyphens.',
      'zh-CN': '这不是 Agent 的 ID。ID 在创建 Agent 时显示，共 36 个字符，由数字、字母“a”至“f”和连字符组成。',
    },
  },
  TOKEN_REFUSED: {
    retry: false,
    text: {
      en: 'The server doesn’t accept this agent’s token: it’s wrong or was revoked. Its owner can create a new one with “npx @parley/cli agent token”.',
      'zh-CN': '服务器不接受此 Agent 的令牌：令牌有误或已被吊销。所有者可用“npx @parley/cli agent token”生成新令牌。',
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
      en: 'This version doesn’t understand the body of this delivery. If the signature is valid, update the SDK.',
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
      en: 'A message couldn’t be opened. Ask the sender to send it again.',
      'zh-CN': '有一条消息无法打开。请让发送者重新发送。',
    },
  },
  DEVICE_LIST: {
    retry: false,
    text: {
      en: 'The server sent a device list of a person that has two versions, is older than before or isn’t signed by them. The list from before still counts. With two versions, nothing is sent until the person settles it with their recovery secret.',
      'zh-CN':
        '服务器发来的某人的设备列表有两个版本、比以前的旧或签名有误。之前的列表继续有效。如果有两个版本，在对方用恢复密钥处理之前，不会发送任何内容。',
    },
  },
  ROW: {
    retry: false,
    text: {
      en: 'What the server says about a conversation or a person contradicts what was signed or seen before. It was ignored.',
      'zh-CN': '服务器关于某个会话或用户的信息与已签名或先前所见的内容矛盾，已被忽略。',
    },
  },
  MEMBERS: {
    retry: false,
    text: {
      en: 'The server lists members of a group nobody confirmed. They get no key.',
      'zh-CN': '服务器列出的某些群成员没有人确认过，不会得到密钥。',
    },
  },
  CLOCK: {
    retry: false,
    text: {
      en: 'The clocks of this machine and the server differ by more than a day. Check this machine’s clock. Until they agree, nothing old is cleaned up.',
      'zh-CN': '本机时钟与服务器相差超过一天。请检查本机时钟。在两者一致之前，不会清理任何旧数据。',
    },
  },
  GONE: {
    retry: false,
    text: {
      en: 'Some messages are missing: the server no longer kept them when the agent came back.',
      'zh-CN': '部分消息缺失：Agent 重新上线时，服务器已不再保存。',
    },
  },
  UNSENT: {
    retry: false,
    text: {
      en: 'A message from an earlier run couldn’t be sent. Send it again if it still matters.',
      'zh-CN': '上次运行时的一条消息未能发送。如仍需要，请重新发送。',
    },
  },
  STORE: {
    retry: false,
    text: {
      en: 'Can’t write to the keystore. Nothing is sent or received until you restart the agent.',
      'zh-CN': '无法写入密钥库。在您重新启动 Agent 之前，不会收发任何消息。',
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
      en: 'The connection failed. Trying again.',
      'zh-CN': '连接失败，正在重试。',
    },
  },
} as const satisfies ErrorTable;

export const agentError = createErrorFactory(ERRORS);
