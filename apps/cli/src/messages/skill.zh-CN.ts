import type { skillEn } from './skill.en.ts';

export const skillZhCN: Readonly<Record<keyof typeof skillEn, string>> = {
  'help.skill': '编写、检查、发布、查找、调用和提供技能',
  'help.skill.more': `技能由一个 JSON 文件描述：接受什么、给出什么、在哪里调用、谁可以调用。

示例：
  parley skill init --handler handler.js
  parley skill validate skill.json --development
  parley skill serve skill.json --handler handler.js
  parley skill invoke skill.json --input text="How many words?" --development`,
  'help.skill.init': '编写新的描述符，并可同时生成处理函数',
  'help.skill.init.more': `示例：
  parley skill init --handler handler.js
  parley skill init translate.json --id com.example.translate --origin https://api.example.com`,
  'help.skill.validate': '检查描述符，列出所有问题',
  'help.skill.validate.more': `使用 --json 时输出：{ valid, violations: [{ field, expected, actual, message }], warnings }。
退出码：0 有效，1 无效，3 文件无法读取。`,
  'help.skill.publish': '将一个版本发布到注册表中您的命名空间',
  'help.skill.publish.more': `已发布的版本不再改变；不兼容的变更需要新的主版本号。
请先登录：parley login

示例：
  parley skill publish skill.json --claim com.example
  parley skill publish skill.json --url https://parley.example.com`,
  'help.skill.search': '在注册表中查找技能',
  'help.skill.search.more': `示例：
  parley skill search translate --type api
  parley skill search --mine`,
  'help.skill.show': '显示描述符：来自文件、网址，或注册表中的 id',
  'help.skill.show.more': `示例：
  parley skill show com.example.translate --at 2.1.0
  parley skill show https://api.example.com/skills/com.example.translate --json`,
  'help.skill.invoke': '调用技能；进度和重试会即时显示',
  'help.skill.invoke.more': `凭证来自密钥环（parley skill login）或环境变量 PARLEY_SKILL_CREDENTIALS，
绝不来自命令行参数。按 Ctrl-C 取消。

示例：
  parley skill invoke com.example.translate -i text=Hello -i target_language=zh
  echo '{"text":"Hello"}' | parley skill invoke skill.json --inputs - --json`,
  'help.skill.login': '保存某个源的 API 密钥，或为技能获取 OAuth 2.0 令牌',
  'help.skill.login.more': `密钥以不可见的方式输入，保存在只有您能读取的文件中。

示例：
  parley skill login https://api.example.com
  parley skill login https://api.example.com --parameter X-Tenant
  parley skill login com.example.translate --client-id my-app`,
  'help.skill.logout': '忘记为某个源保存的凭证',
  'help.skill.serve': '用描述符和处理函数模块提供技能',
  'help.skill.serve.more': `模块的默认导出以输入为参数被调用，其返回值即为输出。
执行记录保存在内存中；若设置了 PARLEY_SKILLS_DATABASE_URL，则保存在 Postgres
中，重启后仍然存在。

示例：
  parley skill serve skill.json --handler handler.js
  parley skill serve skill.json --handler handler.js --keys skill-keys.json`,
  'help.skill.key': '为您所提供技能的调用者创建 API 密钥',
  'help.skill.key.more': `密钥只显示一次；文件中保存的是其哈希值。

示例：
  parley skill key alice --keys skill-keys.json`,
  'help.skill.argument.target': '写入位置（skill.json），- 表示标准输出',
  'help.skill.argument.files': '描述符；省略或 - 表示标准输入',
  'help.skill.argument.file': '描述符',
  'help.skill.argument.words': '要查找的内容',
  'help.skill.argument.source': '文件、网址（https://…）或 id',
  'help.skill.argument.origin': '例如 https://api.example.com；与 --client-id 同用时为技能',
  'help.skill.argument.caller': '密钥持有者的名称',
  'help.skill.option.id': '技能的 id，位于您的命名空间内',
  'help.skill.option.origin': '提供技能的地址',
  'help.skill.option.new_handler': '同时将处理函数写入该文件',
  'help.skill.option.development': '允许本机地址，也允许不使用 TLS',
  'help.skill.option.claim': '先声明该命名空间',
  'help.skill.option.type': 'plugin、api、knowledge 或 task 之一',
  'help.skill.option.tag': '带有该标签',
  'help.skill.option.provider': '来自该提供者',
  'help.skill.option.mine': '仅限您自己的',
  'help.skill.option.limit': '数量，1 到 100',
  'help.skill.option.cursor': '从上一页结束处继续',
  'help.skill.option.at': '使用该版本而非最新版本',
  'help.skill.option.input': '一个输入；可重复',
  'help.skill.option.inputs': '以 JSON 给出全部输入，- 表示标准输入',
  'help.skill.option.output': '将输出写入该文件',
  'help.skill.option.timeout': '超过该毫秒数后放弃',
  'help.skill.option.key_stdin': '从标准输入的第一行读取密钥',
  'help.skill.option.parameter': '自定义认证所列参数的名称',
  'help.skill.option.client_id': 'OAuth 2.0：您的客户端 id',
  'help.skill.option.handler': '带有默认导出的 JavaScript 模块',
  'help.skill.option.port': '端点在本机时取其端口，否则为 8790',
  'help.skill.option.host': '监听的地址',
  'help.skill.option.keys': '保存 API 密钥哈希值的文件',
  'help.skill.option.issuer': 'OAuth 2.0：令牌的签发者',
  'help.skill.option.audience': 'OAuth 2.0：令牌的受众',
  'help.skill.option.jwks': 'OAuth 2.0：签发者密钥的地址',
  'help.skill.option.scope': 'OAuth 2.0：所需的 scope；可重复',
  'help.skill.option.per_minute': '每个调用者每分钟的调用次数（120）',

  'skill.invalid': '{file} 不是有效的技能描述符。',
  'skill.invalid_see': '{file} 不是有效的技能描述符。详情：{parley} skill validate {file}',
  'skill.written': '已写入 {file}。',
  'skill.next': `下一步：{parley} skill validate {file} --development
        {parley} skill serve {file} --handler {handler}`,
  'skill.published': '已在 {url} 发布 {id} {version}。',
  'skill.none': '没有找到技能。',
  'skill.more': '还有更多：--cursor {cursor}',
  'skill.type.plugin': '插件',
  'skill.type.api': 'API 接口',
  'skill.type.knowledge': '知识',
  'skill.type.task': '任务',
  'skill.access.public': '公开',
  'skill.access.restricted': '受限',
  'skill.access.private': '私有',
  'skill.provider': '提供者',
  'skill.endpoint': '端点',
  'skill.inputs': '输入',
  'skill.no_inputs': '不需要输入。',
  'skill.required': '必需',
  'skill.optional': '可选',
  'skill.output': '输出',
  'skill.failed': '{text}（错误码 {code}）',
  'skill.provider_says': '提供者说：{text}',
  'skill.violation': '字段 {field}：{text}',
  'skill.network': '{text}',
  'skill.login_first': '请提供凭证：{parley} skill login {origin}',
  'skill.development': '若要访问本机上的技能，请加上 --development。',
  'skill.parameter_first': '请提供凭证：{parley} skill login {origin} --parameter {name}',
  'skill.parameter_in_url': '该技能要求把 {name} 写入网址，但 Parley 绝不把凭证写入网址。',
  'skill.ask.key': 'API 密钥',
  'skill.ask.parameter': '参数值',
  'skill.key_kept': '已保存 {origin} 的密钥。',
  'skill.parameter_kept': '已保存 {origin} 的参数。',
  'skill.open': '请在浏览器中打开：\n{url}',
  'skill.authorised': '已保存 {origin} 的令牌。',
  'skill.forgotten': '已不再为 {origin} 保存任何内容。',
  'skill.interrupted': '已取消。',
  'skill.output_written': '已写入 {file}。',
  'skill.output_bytes': '共 {bytes} 字节。请用 --output 写入文件。',
  'skill.retry': '第 {attempt} 次尝试（共 {max} 次）失败：{code}。{seconds} 秒后重试。',
  'skill.cancelling': '正在取消……',
  'skill.status.accepted': '已接受',
  'skill.status.running': '执行中',
  'skill.status.completed': '已完成',
  'skill.status.failed': '失败',
  'skill.status.cancelled': '已取消',
  'skill.input_form': '{input}：请以 name=value 的形式书写输入。',
  'skill.timeout_form': '{value}：超时应为 1 到 600000 毫秒。',
  'skill.key_made': '已为 {caller} 创建密钥，其哈希值在 {file} 中。密钥不会再次显示：',
  'skill.serving': '正在 {url} 提供 {id}。按 Ctrl-C 停止。',
  'skill.kept_in_memory': '执行记录保存在内存中。设置 {variable} 可保存到 Postgres。',
  'skill.kept_durably': '执行记录保存在 Postgres 中（{variable}）。',
  'skill.stopped': '已停止。',
  'skill.trouble': '执行 {id}：{reason}',
  'skill.number_form': '{value}：需要不超过 {max} 的整数。',
};
