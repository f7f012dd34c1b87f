import { like } from './person.mjs';

const TODO = ['Buy milk', 'Call Bob', 'Water the plants', 'Read', 'Sleep'];
const listOf = (lines) => [{ tag: 'text', text: lines.join('\n') }];

const WORDS = {
  en: {
    ask: 'When are you open?',
    said: 'We are open **from nine to five**:\n\n- closed on Mondays\n- [the page](https://example.org/hours) says so',
    rich: '| Day | Open |\n|---|--:|\n| Monday | closed |\n| Tuesday | 9–17 |\n\n- [x] looked it up\n- [ ] booked a table\n\n~~Until six~~ until five.\n\n```js\nconst open = (day) => day !== "Monday";\n```',
    table: 'Book a table for Tuesday?',
    lead: 'Two people, seven o’clock, by the window.',
    columns: ['Course', 'Price'],
    rows: [
      ['Noodles', '12'],
      ['Tea', '3'],
    ],
    yes: 'Approve',
    no: 'Reject',
    form: 'Lunch order',
    dish: 'Dish',
    note: 'Note',
    spicy: 'Spicy',
    todo: 'To do',
  },
  'zh-CN': {
    ask: '你们几点营业？',
    said: '我们的营业时间是**九点到五点**：\n\n- 周一休息\n- 以[网页](https://example.org/hours)为准',
    rich: '| 日期 | 营业时间 |\n|---|--:|\n| 周一 | 休息 |\n| 周二 | 9–17 |\n\n- [x] 已查询\n- [ ] 已订位\n\n~~到六点~~ 到五点。\n\n```js\nconst open = (day) => day !== "Monday";\n```',
    table: '要预订周二的座位吗？',
    lead: '两位，七点，靠窗。',
    columns: ['菜品', '价格'],
    rows: [
      ['面条', '12'],
      ['茶', '3'],
    ],
    yes: '同意',
    no: '拒绝',
    form: '午餐预订',
    dish: '菜品',
    note: '备注',
    spicy: '加辣',
    todo: '待办',
  },
};

/** Conversations, and what is in them. */
export async function take(stage, locale, scene) {
  const bot = await stage.bot('DemoBot', (manifest) => {
    manifest.capability_flags = {
      supports_artifacts: true,
      supports_streaming: true,
      supports_group_chat: true,
    };
  });
  const other = await stage.bot('Travel desk');
  const refused = await stage.bot('Research');
  const person = await (await (await stage.arrive(locale)).signUp()).saveSecret();
  const { page, words, dialog } = person;
  const { conversations, calls, cards } = words;
  const text = WORDS[locale];
  const shoot = (name, act, full) => scene(`${name}, ${locale}`, () => act().then(() => person.shoot(name, full)));

  const quiet = await person.addAgent(other);
  await other.agent.send(quiet, { type: 'text', text: text.rich });
  const closed = await person.addAgent(refused, false);
  refused.agent.callTool(closed, 'fetch_url', { url: `${stage.pageUrl}/hours` }).catch(() => {});
  await shoot('05-call-not-granted', async () => {
    await person.button(calls.mend.grant).waitFor();
    refused.agent.callTool(closed, 'send_notification', { title: 'Tea' }).catch(() => {});
    await person.pause(1_200);
  });
  await scene(`05-grant, ${locale}`, async () => {
    await person.button(calls.mend.grant).first().click();
    await dialog.waitFor();
    await person.shoot('05-grant');
    await person.escape();
  });

  const id = await person.addAgent(bot);
  await person.say(text.ask);
  const answered = bot.agent.callTool(id, 'fetch_url', { url: `${stage.pageUrl}/hours` });
  await dialog.waitFor();
  await person.answer(conversations.prompt.allowDay);
  await answered;
  await bot.agent.send(id, { type: 'text', text: text.said });
  await shoot('04-conversation', async () => {
    await bot.agent.sendArtifact(id, {
      subtype: 'approval',
      title: text.table,
      blocks: [
        { tag: 'text', text: text.lead },
        { tag: 'table', columns: text.columns, rows: text.rows },
        { tag: 'action', id: 'yes', label: text.yes, style: 'primary' },
        { tag: 'action', id: 'no', label: text.no },
      ],
    });
    await page.getByText(text.lead, { exact: true }).waitFor();
  });
  const location = bot.agent.callTool(id, 'read_location').catch(() => {});
  await dialog.waitFor();
  await person.answer(conversations.prompt.deny);
  await location;
  await shoot('05-call-denied', () => person.button(like(calls.mend.again, { name: 'DemoBot' })).waitFor());
  await bot.agent.callTool(id, 'fetch_url', { url: 'http://127.0.0.1:9/' }).catch(() => {});
  if (await dialog.count()) await person.answer(conversations.prompt.allowOnce);
  await shoot('05-call-failed', () => page.getByText(conversations.call.error, { exact: true }).waitFor());
  await shoot('05-call-done', async () => {
    const fold = person.log.locator('summary, button[aria-expanded]').filter({ hasText: conversations.call.result });
    await fold.first().click();
    await fold.first().scrollIntoViewIfNeeded();
  });

  const send = (subtype, title, blocks) => bot.agent.sendArtifact(id, { subtype, title, blocks });
  await send('form', text.form, [
    { tag: 'input', id: 'dish', label: text.dish },
    { tag: 'input', id: 'note', label: text.note, multiline: true },
    { tag: 'checkbox', id: 'spicy', label: text.spicy },
  ]);
  await page.getByLabel(text.dish, { exact: true }).fill('Noodles');
  const todo = await send('status', text.todo, listOf([...TODO, 'Cook']));
  await bot.agent.updateArtifact(id, todo.artifact_id, { blocks: listOf([...TODO, 'Bake', 'Wash']) });
  await shoot('45-cards', async () => {
    await person.button(conversations.cards).click();
  });
  await shoot('45-cards-compare', async () => {
    const panel = page.getByRole('complementary', { name: conversations.cards, exact: true });
    await panel.getByRole('button', { name: new RegExp(text.todo) }).click();
    await panel.locator('ins').first().waitFor();
  });
  await scene(`45-cards-form, ${locale}`, async () => {
    const panel = page.getByRole('complementary', { name: conversations.cards, exact: true });
    await person.button(cards.all).click();
    await panel.getByRole('button', { name: new RegExp(text.form) }).click();
    await person.shoot('45-cards-form');
    await person.button(conversations.closeCards).click();
  });
  await shoot('04-formatted', () => person.go(`c/${quiet}`));
  await scene(`46-message-menu, ${locale}`, async () => {
    await person.button(conversations.thread.menu.label).last().click();
    await page.getByRole('menu').waitFor();
    await person.shoot('46-message-menu');
    await page.getByRole('menuitem', { name: conversations.thread.menu.delete, exact: true }).click();
    await dialog.waitFor();
    await person.shoot('46-message-delete');
    await person.escape();
  });
  await scene(`47-link, ${locale}`, async () => {
    await person.go(`c/${id}`);
    await person.log.getByRole('link').first().click();
    await dialog.waitFor();
    await person.shoot('47-link');
    await person.escape();
  });
  await scene(`48-conversation-menu, ${locale}`, async () => {
    await person.go('');
    await other.agent.send(quiet, { type: 'text', text: text.said });
    const menu = () => person.button(like(conversations.manage.menu, { title: 'Travel desk' })).first();
    const choose = async (item) => {
      await menu().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
    };
    await menu().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await person.shoot('48-conversation-menu');
    await page.keyboard.press('Escape');
    await choose(conversations.manage.delete);
    await dialog.waitFor();
    await person.shoot('48-conversation-delete');
    await person.escape();
    await choose(conversations.manage.muteAlways);
    await choose(conversations.manage.archive);
    await page.getByText(like(conversations.manage.archived, { count: 1 })).click();
    await person.shoot('48-archived');
    await page.getByText(like(conversations.manage.archived, { count: 1 })).click();
  });
  await scene(`18-new-conversation, ${locale}`, async () => {
    await person.go('');
    await person.button(conversations.start).click();
    await dialog.waitFor();
    await person.shoot('18-new-conversation');
    await page.getByRole('tab', { name: conversations.newGroup, exact: true }).click();
    await person.shoot('20-new-group');
    await person.escape();
  });
  await scene(`49-removed-agent, ${locale}`, async () => {
    await person.go(`c/${closed}`);
    await person.box.fill('Half a thought');
    await refused.remove();
    await page.getByText(conversations.gone.closed, { exact: true }).waitFor();
    await person.shoot('49-removed-agent');
    await person.go(`agents/${refused.agentId}`);
    await person.shoot('49-removed-agent-page', true);
  });
  await scene(`11-audit, ${locale}`, async () => {
    await person.go('audit');
    await person.shoot('11-audit', true);
  });
  await person.close();
}
