import { describe, expect, it } from 'vitest';
import { collectTexts, type Language, readSource, type Text } from './words/collect-texts.ts';
import { findProblems } from './words/find-problems.ts';
import { parseGlossary, readGlossary } from './words/glossary.ts';

const TEXTS = collectTexts();
const GLOSSARIES = { en: readGlossary('en'), 'zh-CN': readGlossary('zh-CN') };

const problemsOf = (language: Language) =>
  TEXTS.filter((text) => text.language === language).flatMap((text) =>
    findProblems(text, GLOSSARIES[language]).map((problem) => `${text.where}: ${problem}: ${text.text}`),
  );

describe('WC-70 WC-71 WC-72 what people read', () => {
  it('WC-70 WC-71 in English, every sentence keeps to the glossary', () => {
    expect(problemsOf('en')).toEqual([]);
  });

  it('WC-70 WC-71 WC-72 in Chinese, every sentence keeps to the glossary', () => {
    expect(problemsOf('zh-CN')).toEqual([]);
  });

  it('WC-70 all tables are read, in both languages', () => {
    const files = new Set(TEXTS.map(({ language, where }) => `${language} ${where.replace(/:\d+$/, '')}`));
    const tables = [
      'apps/web/src/shell/texts.ts',
      'apps/web/src/screens/conversations/texts.ts',
      'apps/web/src/screens/developer/events/texts.ts',
      'packages/protocol/src/errors.ts',
      'packages/protocol/src/reasons.ts',
      'packages/protocol/src/budgets.ts',
      'packages/client/src/errors.ts',
      'packages/client/src/guard/explain-reason.ts',
      'packages/client/src/executors/browser/fetch-page.ts',
      'packages/messenger/src/errors.ts',
      'packages/agent/src/errors.ts',
      'packages/server/src/errors.ts',
      'packages/server/src/accounts/password-reset.ts',
      'packages/documents/src/codes.ts',
      'packages/documents/src/bundle/codes.ts',
      'packages/documents/src/skill/codes.ts',
      'packages/documents/src/capability/presets.ts',
      'packages/documents/src/capability/diff-texts.ts',
      'packages/documents/src/capability/preview-texts.ts',
      'packages/system-agent/src/texts.ts',
      'packages/system-agent/manifest.json',
      'examples/demo-bot/src/demo-bot.ts',
      'examples/demo-bot/src/explain.ts',
      'examples/demo-bot/manifest.json',
      'apps/server/src/texts.ts',
    ];
    expect(tables.flatMap((table) => [`en ${table}`, `zh-CN ${table}`]).filter((name) => !files.has(name))).toEqual([]);
    expect([...files]).toEqual(
      expect.arrayContaining(['en apps/cli/src/messages/chat.en.ts', 'zh-CN apps/cli/src/messages/chat.zh-CN.ts']),
    );
    expect(TEXTS.length).toBeGreaterThan(3_000);
  });
});

describe('WC-70 the check itself', () => {
  const check = (language: Language, text: string, where = 'apps/web/src/shell/texts.ts:1') =>
    findProblems({ where, language, text } satisfies Text, GLOSSARIES[language]);

  it.each([
    ['DemoBot wants to act', 'wants to act'],
    ['The user refused.', 'the user refused'],
    ['Silent windows', 'silent windows'],
    ['Mend the errors', 'mend'],
    ['I have kept it', 'I have kept it'],
    ['Verify the chain', 'verify the chain'],
    ['It changed, and waits for your answer.', 'waits for your answer'],
    ['Loading …', '…'],
    ['Denied: scope_not_granted.', 'scope_not_granted'],
    ['Denied: TOOL_PLATFORM_ERROR.', 'TOOL_PLATFORM_ERROR'],
    ['Saved!', '!'],
  ])('WC-70 WC-71 finds what is wrong in “%s”', (text, found) => {
    expect(check('en', text).join()).toContain(found);
  });

  it.each([
    ['用户拒绝了此次调用。', '用户拒绝了'],
    ['静默期', '静默期'],
    ['验证链条', '验证链条'],
    ['你的设备', '你'],
    ['您的账号', '账号'],
    ['新的 token', 'token'],
    ['查看清单', '清单'],
    ['安装 Bundle', 'Bundle'],
    ['打开 dashboard 查看', 'foreign words: dashboard'],
    ['已拒绝：scope_not_granted', 'it names a code: scope_not_granted'],
    ['已保存,请继续', 'half-width'],
    ['还有(2)项', 'half-width'],
    ['您的Agent', 'no space'],
    ['正在加载…', 'half an ellipsis'],
    ['已保存！', '！'],
  ])('WC-72 finds what is wrong in “%s”', (text, found) => {
    expect(check('zh-CN', text).join()).toContain(found);
  });

  it.each([
    ['en', 'You denied this.'],
    ['en', '… and ◻ more'],
    ['en', 'Say “update DemoBot’s manifest”.'],
    ['zh-CN', '您已拒绝。'],
    ['zh-CN', '正在加载……'],
    ['zh-CN', '◻ 的 Webhook 密钥'],
    ['zh-CN', '没有“permission_ids”字段，请用 https://example.com'],
  ] as const)('WC-70 lets good sentences be: %s “%s”', (language, text) => {
    expect(check(language, text, 'packages/documents/src/codes.ts:1')).toEqual([]);
  });

  it('WC-71 makers may be told the names of their variables, people may not', () => {
    const text = 'Set PARLEY_PORT to another port.';
    expect(check('en', text, 'apps/server/src/errors.ts:1')).toEqual([]);
    expect(check('en', text)).toEqual(['it names a code: PARLEY_PORT']);
  });

  it('WC-70 finds texts in tables, in pairs, in lists and in templates', () => {
    const source = `
      const A = { one: { en: 'One', 'zh-CN': '一' } };
      const b = error('Two {n}', '二 {n}');
      const c = ['Three', '三'];
      const en = { four: 'Four', five: (n: number) => \`Five \${n}\` };
      const zh = { four: '四', five: (n: number) => \`五 \${n}\` };
      const no = 'not a text';`;
    const said = readSource('a.ts', source).map(({ language, text }) => `${language} ${text}`);
    expect(said.sort()).toEqual(
      [
        'en One',
        'en Two ◻',
        'en Three',
        'en Four',
        'en Five ◻',
        'zh-CN 一',
        'zh-CN 二 ◻',
        'zh-CN 三',
        'zh-CN 四',
        'zh-CN 五 ◻',
      ].sort(),
    );
  });

  it('WC-70 a word that is added to the glossary is found from then on', () => {
    const page =
      '## In texts for people\n\n| Concept | We write | Not | Why |\n|---|---|---|---|\n| a | b | `frobnicate` | c |';
    const glossary = parseGlossary(page, 'en');
    const text = { where: 'apps/web/src/shell/texts.ts:1', language: 'en', text: 'Frobnicate it.' } as const;
    expect(findProblems(text, glossary)).toEqual(['the glossary forbids frobnicate']);
    expect(findProblems({ ...text, where: 'apps/cli/src/a.ts:1' }, glossary)).toEqual([]);
  });
});
