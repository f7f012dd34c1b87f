/** What a person can ask Hashee for. `name` and `url` are as written; neither was checked. */
export type Intent =
  | { readonly kind: 'help' | 'list_agents' | 'list_relations' | 'cancel' }
  | { readonly kind: 'update_manifest' | 'create_agent' | 'rotate_token'; readonly name?: string }
  | { readonly kind: 'set_webhook'; readonly name?: string; readonly url?: string };

export type IntentKind = Intent['kind'];

/** Longer texts are not requests; patterns never see them. */
const MAX_TEXT = 500;
const MAX_NAME = 64;

const AGENT = '(?:agents?|bots?|智能体|机器人|代理)';
const MANIFEST = '(?:capability\\s*)?(?:manifest|能力清单|能力声明|清单)';
const TOKEN = '(?:access\\s*)?(?:tokens?|令牌|密钥)';
const WEBHOOK = '(?:webhooks?|网络钩子|回调)';
const CHANGE_EN = '(?:update|change|replace|edit|set|push|submit|upload|publish)';
const CHANGE_ZH = '(?:更新|修改|替换|更改|提交|上传|发布|设置|编辑)';
const ROTATE_EN = '(?:rotate|renew|reset|replace|refresh|change|regenerate)';
const ROTATE_ZH = '(?:轮换|更换|重置|更新|刷新|换|重新生成)';
const CREATE_EN = '(?:create|make|add|register|set up)';
const CREATE_ZH = '(?:创建|新建|注册|建立|添加|建)';
/** Matches a name, as short as the rest of the pattern allows. */
const X = '(?<name>.+?)';

/** The order matters: the first pattern that fits the whole sentence wins. */
const PATTERNS: readonly (readonly [kind: IntentKind, pattern: string])[] = [
  ['cancel', '(?:cancel|stop|never ?mind|取消|算了|停止)'],
  ['help', '(?:help|hi|hello|hey|\\?|what can you do|帮助|你好|您好|[你您]能做什么|[你您]会什么|怎么用)'],

  ['list_agents', `(?:list|show)(?: me)?(?: all)?(?: of)? my ${AGENT}`],
  ['list_agents', `(?:(?:list|show)(?: my)? )?${AGENT}`],
  ['list_agents', `(?:my ${AGENT}|(?:what|which) ${AGENT} do i (?:have|own))`],
  ['list_agents', `(?:列出|显示|查看|看看)?\\s*我?的?\\s*(?:所有|全部)?的?\\s*${AGENT}(?:列表)?`],
  ['list_agents', `我(?:拥?有|创建了)(?:哪些|什么)\\s*${AGENT}`],
  ['list_relations', `(?:(?:list|show)(?: me)? )?(?:all )?(?:my )?(?:relations?|grants?|permissions?|contacts?)`],
  ['list_relations', `(?:what|which) ${AGENT} (?:have|did) i added?`],
  ['list_relations', `(?:list|show)(?: me)? (?:the )?${AGENT} (?:that )?i(?: have|'ve|’ve)? added`],
  ['list_relations', `(?:列出|显示|查看|看看)?\\s*我?的?\\s*(?:关系|授权|权限|联系人)(?:列表)?`],
  ['list_relations', `(?:列出|显示|查看)?\\s*我(?:都)?(?:添加|授权)(?:了|过)?(?:的|哪些|什么)\\s*${AGENT}`],

  ['set_webhook', `(?:switch|move|change|convert) ${X} (?:over )?to (?:an? )?${WEBHOOK}(?: mode)?`],
  ['set_webhook', `(?:set(?: up)?|add|configure|change) (?:an? |the )?${WEBHOOK} (?:of|for|on) ${X}`],
  ['set_webhook', `(?:set(?: up)?|add|configure|change) ${X}(?:'s|’s)? ${WEBHOOK}`],
  ['set_webhook', `(?:switch|move|change|set up|use) (?:to )?(?:an? )?${WEBHOOK}`],
  ['set_webhook', `(?:把|将)\\s*${X}\\s*(?:切换|改|换|设置|设|转)(?:到|成|为|用)?\\s*${WEBHOOK}(?:\\s*模式)?`],
  ['set_webhook', `(?:给|为)\\s*${X}\\s*(?:设置|配置|添加|设|开启)(?:一个)?\\s*${WEBHOOK}`],
  ['set_webhook', `(?:设置|配置|修改|更改)\\s*${X}\\s*的\\s*${WEBHOOK}`],
  ['set_webhook', `(?:切换到|改用|改成|设置)\\s*${WEBHOOK}(?:\\s*模式)?`],

  ['rotate_token', `${ROTATE_EN} (?:the |a )?${TOKEN} (?:of|for) ${X}`],
  ['rotate_token', `(?:a )?new ${TOKEN} for ${X}`],
  ['rotate_token', `${ROTATE_EN} (?:the |a |my )?${TOKEN}`],
  ['rotate_token', `${ROTATE_EN} ${X}(?:'s|’s)? ${TOKEN}`],
  ['rotate_token', `(?:把|将)\\s*${X}\\s*的\\s*${TOKEN}\\s*${ROTATE_ZH}(?:一下|掉)?`],
  ['rotate_token', `(?:给|为)\\s*${X}\\s*${ROTATE_ZH}(?:一个|新的?)*\\s*${TOKEN}`],
  ['rotate_token', `${ROTATE_ZH}\\s*${TOKEN}`],
  ['rotate_token', `${ROTATE_ZH}\\s*${X}\\s*的?\\s*${TOKEN}`],

  ['update_manifest', `${CHANGE_EN} (?:the |a )?(?:new )?${MANIFEST} (?:of|for) ${X}`],
  ['update_manifest', `${CHANGE_EN} (?:the |a |my )?(?:new )?${MANIFEST}`],
  ['update_manifest', `${CHANGE_EN} ${X}(?:'s|’s)? ${MANIFEST}`],
  ['update_manifest', `(?:把|将)\\s*${X}\\s*的\\s*${MANIFEST}\\s*${CHANGE_ZH}(?:一下)?`],
  ['update_manifest', `(?:给|为)\\s*${X}\\s*${CHANGE_ZH}(?:新的)?\\s*${MANIFEST}`],
  ['update_manifest', `${CHANGE_ZH}\\s*${MANIFEST}`],
  ['update_manifest', `${CHANGE_ZH}\\s*${X}\\s*的?\\s*${MANIFEST}`],

  ['create_agent', `${CREATE_EN} (?:an? )?(?:new )?${AGENT}`],
  ['create_agent', `${CREATE_EN} (?:an? )?(?:new )?${AGENT} (?:called |named )?${X}`],
  ['create_agent', `new ${AGENT}(?: (?:called |named )?${X})?`],
  ['create_agent', `${CREATE_ZH}\\s*(?:一个)?(?:新的?)?\\s*${AGENT}`],
  ['create_agent', `${CREATE_ZH}\\s*(?:一个)?(?:新的?)?\\s*(?:叫做?|名为|名叫)\\s*${X}\\s*的\\s*${AGENT}`],
  ['create_agent', `${CREATE_ZH}\\s*(?:一个)?(?:新的?)?\\s*${AGENT}\\s*[,，]?\\s*(?:叫做?|名为|名叫|名字是)?\\s*${X}`],
];

const COMPILED = PATTERNS.map(([kind, pattern]) => [kind, new RegExp(`^${pattern}$`, 'iu')] as const);

const POLITE = /^(?:(?:please|hey|hi|hashee|can you|could you|would you|i want to|i'd like to|let's)[\s,，:：]+)+/i;
const POLITE_ZH = /^(?:(?:请|麻烦|麻烦[你您]|帮我|帮忙|我想要?|我要|你好|您好)[\s,，:：]*)+/u;
const URL_TEXT = /https?:\/\/[^\s，。？！“”"'<>）)]+/i;
const BEFORE_URL = /\s*(?:at|with|using|to|url|地址(?:是|为)?|到|指向|[:：,，])\s*$/iu;
const ENDS = /^[\s“”"'「」『』《》`]+|[\s“”"'「」『』《》`.。!！?？]+$/gu;

/** Returns undefined for any other text. */
export function parseIntent(text: string): Intent | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const folded = text.normalize('NFKC').trim();
  if (folded === '?') return { kind: 'help' };
  const url = URL_TEXT.exec(folded)?.[0];
  const plain = url === undefined ? folded : folded.slice(0, folded.indexOf(url)).replace(BEFORE_URL, '');
  const sentence = clean(clean(plain).replace(POLITE, '').replace(POLITE_ZH, '')).replaceAll(/\s+/gu, ' ');
  // "Hello" alone is a greeting, not politeness before nothing.
  for (const wish of [sentence, clean(plain)]) {
    for (const [kind, pattern] of COMPILED) {
      const found = pattern.exec(wish);
      if (found !== null) return toIntent(kind, found.groups?.name, url);
    }
  }
  return undefined;
}

export function toIntent(kind: IntentKind, name: string | undefined, url: string | undefined): Intent {
  const called = name === undefined ? '' : clean(name).slice(0, MAX_NAME);
  const named = called === '' ? {} : { name: called };
  if (kind === 'set_webhook') return { kind, ...named, ...(url === undefined ? {} : { url }) };
  return { kind, ...named } as Intent;
}

function clean(text: string): string {
  return text.replaceAll(ENDS, '');
}
