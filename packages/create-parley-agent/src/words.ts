import { fillText, type Locale, type Params } from '@parley/base';

const en = {
  help: `Creates an agent for Parley in a new folder.

Usage: npm create parley-agent@latest [folder] -- [options]
       npx create-parley-agent [folder] [options]

  folder                    its name, or a path that ends with it (my-agent)

Options:
  --connection <how>        how it is reached: websocket (default) or webhook
  --model <which>           what answers: none (default), openai or anthropic
  -y, --yes                 take the default for whatever was not given
  --locale <locale>         en or zh-CN
  --json                    print JSON, ask nothing
  -h, --help                show this help
  -V, --version             show the version

In a terminal it asks for what was not given. It writes into the new folder only,
and refuses a folder that is not empty.

Exit codes: 0 created, 1 the folder is taken, 2 wrong usage, 3 environment,
130 cancelled with Ctrl-C.
--json prints { folder, name, connection, model, files }.
`,
  title: 'A new agent for Parley',
  'ask.folder': 'What is it called? The new folder gets this name',
  'ask.connection': 'How is it reached?',
  'ask.connection.websocket': 'WebSocket',
  'ask.connection.websocket.hint': 'a process that runs all the time; also behind a firewall',
  'ask.connection.webhook': 'Webhook',
  'ask.connection.webhook.hint': 'a server that is called; any Fetch runtime; weaker encryption',
  'ask.model': 'Which model answers?',
  'ask.model.none': 'None',
  'ask.model.none.hint': 'you write the answers yourself, to begin with',
  'ask.model.openai': 'OpenAI',
  'ask.model.openai.hint': 'or whatever speaks its API; needs a key',
  'ask.model.anthropic': 'Anthropic',
  'ask.model.anthropic.hint': 'needs a key',
  created: 'Created {name}.',
  'created.at': 'Created {name} in {folder}.',
  next: 'Now, one line after the other:',
  'next.key': 'Put your key into .env ({key}=…), and start it:',
  'next.chat': 'When it runs, talk to it in another terminal, in the same folder:',
  'next.more': 'README.md explains each step.',
  internal: 'Something went wrong ({reason}). Nothing was written.',
} as const;

type WordKey = keyof typeof en;

const zhCN: Readonly<Record<WordKey, string>> = {
  help: `在新文件夹中创建一个 Parley Agent。

用法：npm create parley-agent@latest [文件夹] -- [选项]
      npx create-parley-agent [文件夹] [选项]

  文件夹                    名称，或以名称结尾的路径（my-agent）

选项：
  --connection <方式>       连接方式：websocket（默认）或 webhook
  --model <模型>            由谁回答：none（默认）、openai 或 anthropic
  -y, --yes                 未给出的一律取默认值
  --locale <语言>           en 或 zh-CN
  --json                    输出 JSON，不询问
  -h, --help                显示此帮助
  -V, --version             显示版本

在终端中会询问未给出的内容。只写入新文件夹；文件夹不为空则拒绝。

退出码：0 已创建，1 文件夹已被占用，2 用法错误，3 环境问题，130 按 Ctrl-C 取消。
--json 输出 { folder, name, connection, model, files }。
`,
  title: '新建 Parley Agent',
  'ask.folder': '叫什么名字？新文件夹也用这个名字',
  'ask.connection': '如何连接？',
  'ask.connection.websocket': 'WebSocket',
  'ask.connection.websocket.hint': '一直运行的进程；在防火墙后也可用',
  'ask.connection.webhook': 'Webhook',
  'ask.connection.webhook.hint': '被调用的服务器；任何 Fetch 运行时；加密较弱',
  'ask.model': '由哪个模型回答？',
  'ask.model.none': '不用模型',
  'ask.model.none.hint': '先由您自己编写回答',
  'ask.model.openai': 'OpenAI',
  'ask.model.openai.hint': '或任何兼容其 API 的服务；需要密钥',
  'ask.model.anthropic': 'Anthropic',
  'ask.model.anthropic.hint': '需要密钥',
  created: '已创建 {name}。',
  'created.at': '已创建 {name}，位于 {folder}。',
  next: '接下来，逐行运行：',
  'next.key': '把您的密钥写入 .env（{key}=…），然后启动：',
  'next.chat': '运行之后，在另一个终端的同一文件夹中与它对话：',
  'next.more': '每一步的说明见 README.md。',
  internal: '出错了（{reason}）。没有写入任何文件。',
};

const TABLES = { en, 'zh-CN': zhCN } as const satisfies Record<Locale, Readonly<Record<WordKey, string>>>;

export interface Words {
  readonly locale: Locale;
  say(key: WordKey, params?: Params): string;
}

export function wordsFor(locale: Locale): Words {
  return { locale, say: (key, params = {}) => fillText(TABLES[locale][key], params) };
}
