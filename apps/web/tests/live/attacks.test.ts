import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyManifest, DEMO_MANIFEST, fill, type Person, useWorld, WEB_SCOPE } from './harness/index.ts';

const SCRIPT = '<script>globalThis.pwned = 1</script>';
const IMAGE = '<img src=x onerror="globalThis.pwned = 1">';
/** Reads "photo-gpj.exe" backwards from where it stands. */
const TURN = '\u202e';
const STORM = 2_000;
const STORM_LIMIT_MS = 300_000;

function hostile(): AnyManifest {
  const manifest = structuredClone(DEMO_MANIFEST);
  manifest.tools[0].description_fallback = `${IMAGE} reads ${TURN}nothing`;
  manifest.permission_scopes[0].label_fallback = `Web ${IMAGE}`;
  manifest.permission_scopes[0].description_fallback = SCRIPT;
  return manifest;
}

describe('CG-10, TC-9, HS-11 what agents and sites may try', () => {
  const world = useWorld();
  let site: Server;
  let origin: string;

  beforeAll(async () => {
    site = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      if (request.url === '/frame') response.end(`<iframe src="${world.server.url}/app/" width="900" height="600">`);
      else response.end(`<title>${SCRIPT}</title>${IMAGE}<p>the end</p>`);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(() => site.close());

  /** Nothing ran, nothing of it became part of the page, nobody else was asked for anything. */
  async function isHarmless(person: Person, asked: readonly string[]): Promise<void> {
    const state = await person.page.evaluate(() => ({
      pwned: 'pwned' in globalThis,
      elements: document.querySelectorAll('script:not([src]), iframe, object, embed, img[src="x"], [onerror], [onload]')
        .length,
      links: [...document.querySelectorAll('a')].filter(({ href }) => !/^(https?|mailto|blob):/.test(href)).length,
    }));
    expect(state).toEqual({ pwned: false, elements: 0, links: 0 });
    expect(asked.filter((url) => !url.startsWith(world.server.url) && !/^(blob|data):/.test(url))).toEqual([]);
  }

  const watch = (person: Person): string[] => {
    const asked: string[] = [];
    person.context.on('request', (request) => asked.push(request.url()));
    person.page.on('dialog', (dialog) => person.complaints.push(`dialog: ${dialog.message()}`));
    return asked;
  };

  it('CG-10 script in names, labels, fallbacks, arguments, Markdown, file names and results stays text', async () => {
    const bot = await world.bot({ name: `Bot ${IMAGE}`, description: SCRIPT, manifest: hostile() });
    const ada = await world.signUp();
    const asked = watch(ada);
    await ada.go(`agents/${bot.agentId}`);
    await ada.page.getByRole('heading', { name: bot.name, exact: true }).waitFor();
    await isHarmless(ada, asked);
    await ada.page.getByRole('switch', { name: `Web ${IMAGE}`, exact: true }).click();
    await ada.page.getByRole('button', { name: `Add ${bot.name}`, exact: true }).click();
    await ada.page.getByRole('textbox', { name: ada.words.conversations.write, exact: true }).waitFor();
    const { conversationId } = ada;

    const url = `${origin}/?${encodeURI(IMAGE)}`;
    const answered = bot.agent.callTool(conversationId, 'fetch_url', { url });
    // It stands in quotation marks, which it cannot end.
    await ada.prompt.getByText(`${IMAGE.replaceAll('"', "'")} reads [U+202E]nothing`, { exact: true }).waitFor();
    expect(await ada.prompt.getByText(`Web ${IMAGE}`, { exact: true }).isVisible()).toBe(true);
    await isHarmless(ada, asked);
    await ada.answer('allow');
    expect(JSON.stringify(await answered)).toContain('onerror');
    await ada.page.getByRole('button', { name: ada.words.conversations.call.result, exact: true }).click();
    await ada.thread.getByText(/<p>the end<\/p>$/).waitFor();

    await bot.agent.send(conversationId, {
      type: 'text',
      text: `${SCRIPT}\n\n${IMAGE}\n\n[press](javascript:globalThis.pwned=1) [data](data:text/html,x)\n\n![p](${origin}/pixel.png)\n\n<a href="javascript:1">a</a>\n\nend of text`,
    });
    await ada.thread.getByText('end of text', { exact: true }).waitFor();
    await bot.agent.send(conversationId, {
      type: 'file',
      name: `${IMAGE}photo-${TURN}gpj.exe`,
      mime_type: 'text/html',
      data: btoa(`${SCRIPT}${IMAGE}`),
      caption: IMAGE,
    });
    await ada.thread.getByText(`${IMAGE}photo-[U+202E]gpj.exe`, { exact: true }).waitFor();
    await bot.agent.sendArtifact(conversationId, {
      subtype: 'app',
      title: IMAGE,
      blocks: [
        { tag: 'text', text: `${IMAGE} [x](javascript:globalThis.pwned=1)` },
        { tag: 'table', columns: [IMAGE], rows: [[`${TURN}${SCRIPT}`]] },
        { tag: 'code', text: SCRIPT },
        { tag: 'action', id: 'a', label: IMAGE },
      ],
    });
    await ada.thread.getByRole('button', { name: IMAGE, exact: true }).waitFor();
    await isHarmless(ada, asked);
  });

  it('CG-10 look-alike letters and hidden characters in arguments are pointed out', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    // The first letter is Cyrillic; the name is turned around.
    const answered = bot.agent.callTool(ada.conversationId, 'fetch_url', {
      url: `https://\u0430pple.example/${TURN}x`,
    });
    const refused = expect(answered).rejects.toMatchObject({ status: expect.stringMatching(/denied|error/) });
    await Promise.race([
      refused,
      ada.prompt
        .getByText('look-alike letters: \u0430pple', { exact: true })
        .waitFor()
        .then(() => ada.prompt.getByText('[U+202E]', { exact: true }).waitFor())
        .then(() => ada.answer('deny')),
    ]);
    await refused;
  });

  it('CG-14 attack: a flood of questions: the person stops it for an hour, and lifts that again', async () => {
    const bot = await world.bot({ name: 'Eager' });
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { conversationId, words } = ada;
    const ask = (n: number) =>
      bot.agent.callTool(conversationId, 'fetch_url', { url: `${origin}/${n}` }).catch((error: unknown) => error);
    const answers = [ask(1), ask(2)];
    await ada.place(1, 2).waitFor();
    expect(await ada.button(words.conversations.prompt.stopAsking).count()).toBe(0);
    answers.push(ask(3));
    await ada.answer('stopAsking');
    await ada.prompt.waitFor({ state: 'detached' });
    const stopped = { status: 'denied', reason: 'user_refused', retryAfterMs: expect.any(Number) };
    expect(await Promise.all([...answers, ask(4)])).toMatchObject([stopped, stopped, stopped, stopped]);
    await expect.poll(() => ada.thread.getByText(/^You paused questions from this agent\./).count()).toBe(4);
    await ada.go('permissions');
    await ada.button(fill(words.permissions.stopLabel, { agent: bot.name })).click();
    const again = ask(5);
    await ada.prompt.waitFor();
    await ada.answer('deny');
    expect(await again).toMatchObject({ reason: 'user_refused', retryAfterMs: undefined });
  });

  it('CG-15 exactly these values, once, or everything: what was chosen is what is silent', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { conversationId, words } = ada;
    const { remember } = words.conversations.prompt;
    const ask = (path: string) => bot.agent.callTool(conversationId, 'fetch_url', { url: `${origin}${path}` });
    const allow = async (path: string, choice: string) => {
      const answered = ask(path);
      await ada.button(remember.change).click();
      await ada.prompt.getByRole('radio', { name: choice, exact: true }).check();
      await ada.answer('allow');
      await answered;
    };
    const once = ask('/a');
    await ada.answer('once');
    await once;
    await allow('/a', remember.values);
    await ask('/a');
    await allow('/b', fill(remember.tool, { tool: 'fetch_url' }));
    await ask('/c');
    expect(await ada.prompt.count()).toBe(0);
  });

  it('CM-13 a manifest with 500 tools: the consent opens, folded, and can be given', async () => {
    const manifest = structuredClone(DEMO_MANIFEST);
    const input_schema = { type: 'object', additionalProperties: false };
    for (let n = 0; n < 497; n++)
      manifest.tools.push({
        name: `tool_${n}`,
        description_i18n_key: `t.${n}`,
        description_fallback: `Does ${n}`,
        input_schema,
        permission_scope: 'notification:send',
      });
    const bot = await world.bot({ name: 'Giant', manifest });
    const ada = await world.signUp();
    await ada.go(`agents/${bot.agentId}`);
    await ada.page.getByText('498 tools', { exact: true }).click();
    await ada.page.getByText('tool_496', { exact: true }).waitFor();
    await ada.button('Add Giant').click();
    await ada.page.getByRole('textbox', { name: ada.words.conversations.write, exact: true }).waitFor();
    await ada.page.getByRole('heading', { name: 'Giant', exact: true }).waitFor();
    await ada.go('permissions');
    await ada.page.getByText(/\btool_1,/).waitFor();
    expect(await ada.page.getByRole('main').getByRole('listitem').count()).toBeLessThan(10);
  });

  it('CM-17, CM-5 what is required and not low is switched on by the person, or nothing is added', async () => {
    const manifest = structuredClone(DEMO_MANIFEST);
    manifest.tools[0].required = true;
    const bot = await world.bot({ name: 'Needy', manifest });
    const ada = await world.signUp();
    const { page, words } = ada;
    await ada.go(`agents/${bot.agentId}`);
    await page.getByText(words.agents.requiredOff, { exact: true }).waitFor();
    expect(await ada.button('Add Needy').isDisabled()).toBe(true);
    await page.getByRole('switch', { name: WEB_SCOPE, exact: true }).click();
    await page.getByText(words.agents.requiredOff, { exact: true }).waitFor({ state: 'detached' });
    await ada.button('Add Needy').click();
    await page.getByRole('textbox', { name: words.conversations.write, exact: true }).waitFor();
  });

  it(
    `TC-9 a storm of ${STORM} messages: the page stays usable and draws only what is seen`,
    async () => {
      const bot = await world.bot();
      const ada = await world.signUp();
      await ada.addAgent(bot.agentId, bot.name);
      const { conversationId } = ada;
      const text = (n: number) => ({ type: 'text' as const, text: `message ${n}` });
      const storm = (async () => {
        for (let n = 0; n < STORM; n += 50)
          await Promise.all(Array.from({ length: 50 }, (_, k) => bot.agent.send(conversationId, text(n + k))));
      })();
      // In the middle of it a person writes, and is seen.
      await ada.thread
        .getByText(/^message \d{2,}$/)
        .first()
        .waitFor();
      await ada.say('I am still here');
      await storm;
      await bot.agent.send(conversationId, text(STORM));
      await ada.thread.getByText(`message ${STORM}`, { exact: true }).waitFor({ timeout: STORM_LIMIT_MS });
      expect(await ada.thread.locator('article').count()).toBeLessThan(60);
      await ada.page.getByRole('searchbox').fill('still here');
      await ada.page.getByText('1 message found', { exact: true }).waitFor();
    },
    2 * STORM_LIMIT_MS,
  );

  it('WC-31 attack: a message that breaks the drawing of itself takes nothing else from the page, and can be deleted', async () => {
    const bot = await world.bot();
    const ada = await world.signUp({
      prepare: async (context) => {
        await context.addInitScript(() => {
          const { decode } = TextDecoder.prototype;
          TextDecoder.prototype.decode = function (...input) {
            const text = decode.apply(this, input);
            if (text === 'not to be drawn') throw new Error('a fault of ours');
            return text;
          };
        });
      },
    });
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId, thread, words } = ada;
    const file = { type: 'file', name: 'a.txt', mime_type: 'text/plain', data: btoa('not to be drawn') } as const;
    await bot.agent.send(conversationId, file);
    await bot.agent.send(conversationId, { type: 'text', text: 'after it' });
    const unshown = thread.getByRole('article').filter({ hasText: words.conversations.unshown });
    await unshown.waitFor();
    await thread.getByText('after it', { exact: true }).waitFor();
    // It is in the history, and breaks nothing when that is read.
    await ada.reload();
    await unshown.waitFor();
    await ada.sees(thread.getByText('after it', { exact: true }));
    const { menu } = words.conversations.thread;
    await unshown.hover();
    await unshown.getByRole('button', { name: menu.label, exact: true }).click();
    await ada.page.getByRole('menuitem', { name: menu.delete, exact: true }).click();
    await ada.prompt.getByRole('button', { name: menu.deleteConfirm, exact: true }).click();
    await expect.poll(() => unshown.count()).toBe(0);
    ada.forgive(/a fault of ours/);
  });

  it('WC-31 a page that cannot be drawn leaves the frame around it, and the way to the others', async () => {
    const ada = await world.signUp();
    await ada.page.route(/\/assets\/.*\.js$/, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const isAudit = /\bas AuditPage\b/.test(text);
      const broken = 'export function AuditPage() { throw new Error("a fault of ours"); }';
      await route.fulfill({ response, body: isAudit ? broken : text });
    });
    await ada.go('audit');
    await ada.page.getByText(ada.words.shell.broken, { exact: true }).waitFor();
    await ada.page.getByRole('link', { name: ada.words.shell.nav.conversations, exact: true }).click();
    await ada.atHome();
    ada.forgive(/a fault of ours/);
  });

  it('HS-11 a page of another site cannot frame the app', async () => {
    const eve = await world.arrive();
    await eve.page.goto(`${origin}/frame`);
    await expect.poll(() => eve.page.frames().at(-1)?.url()).toMatch(/^chrome-error:/);
    await expect.poll(() => eve.complaints.join()).toMatch(/frame-ancestors|X-Frame-Options|refused to connect/i);
    eve.forgive(/./);
  });
});
