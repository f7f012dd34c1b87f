import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const PAUSE_MS = 600;
const MAX_HEIGHT = 6_000;
const PATIENCE_MS = 20_000;

/** A sentence with its holes filled, as a pattern: what is filled in stands between marks of direction. */
export function like(text, values = {}) {
  const quote = (part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const parts = text.split(/(\{\{\w+\}\})/).map((part) => {
    const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1];
    if (name === undefined) return quote(part);
    return name in values ? `[\\u2066-\\u2069]*${quote(String(values[name]))}[\\u2066-\\u2069]*` : '.*';
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** Someone at a browser of their own, of whose screen pictures are taken. */
export class Person {
  static async arrive(browser, { options = {}, ...stage }) {
    const context = await browser.newContext({
      viewport: SIZES.desktop,
      locale: stage.locale,
      serviceWorkers: 'block',
      geolocation: { latitude: 31.2304, longitude: 121.4737 },
      permissions: ['geolocation'],
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript((value) => {
      try {
        localStorage.setItem('parley.locale', value);
      } catch {
        // An empty page has none.
      }
    }, stage.locale);
    return new Person(await context.newPage(), stage);
  }

  constructor(page, stage) {
    Object.assign(this, stage);
    this.stage = stage;
    this.page = page;
    this.name ??= this.locale === 'zh-CN' ? '林小雨' : 'Ada Lovelace';
    this.email ??= `${randomUUID()}@example.org`;
  }

  /** Another tab of the same browser. */
  async openTab(path = '') {
    const tab = new Person(await this.page.context().newPage(), { ...this.stage, email: this.email });
    await tab.open(path);
    return tab;
  }

  pause(ms = PAUSE_MS) {
    return this.page.waitForTimeout(ms);
  }

  async open(path = '') {
    await this.page.goto(`${this.url}/app/${path}`);
    await this.pause();
  }

  /** Another page of the app, without loading it anew. */
  async go(path) {
    await this.page.evaluate((to) => history.pushState({}, '', to), `/app/${path}`);
    await this.pause();
  }

  async enter(password = this.password) {
    await this.page.locator('input[name=email]').fill(this.email);
    await this.page.locator('input[name=password]').fill(password);
  }

  async signIn() {
    await this.enter();
    await this.page.locator('button[type=submit]').click();
  }

  async fillSignUp() {
    await this.button(this.words.signIn.toCreate).click();
    await this.page.locator('input[name=name]').fill(this.name);
    await this.enter();
  }

  async signUp() {
    await this.open();
    await this.fillSignUp();
    await this.page.locator('button[type=submit]').click();
    await this.atHome();
    return this;
  }

  /** From then on no page begins with asking for it. */
  async saveSecret() {
    const { recovery } = this.words.shell;
    const ways = this.button(recovery.show).or(this.button(this.words.conversations.first.secretShow));
    await ways.filter({ visible: true }).click();
    await this.dialog.getByTestId('recovery-secret').waitFor();
    await this.page.getByRole('checkbox', { name: recovery.kept, exact: true }).check();
    await this.button(recovery.done, this.dialog).click();
    await this.dialog.waitFor({ state: 'detached' });
    return this;
  }

  async atHome() {
    await this.page.getByRole('heading', { name: this.words.conversations.title, exact: true }).waitFor();
    await this.pause();
  }

  /** A session beside the page. */
  async token() {
    const body = { email: this.email, account_password: this.password };
    const session = await this.call('POST', '/auth/login', { body });
    return { token: session.access_token, id: session.user_id };
  }

  button(name, place = this.page) {
    return place.getByRole('button', { name, exact: true });
  }

  get dialog() {
    return this.page.getByRole('dialog');
  }

  get log() {
    return this.page.getByRole('log');
  }

  get box() {
    return this.page.getByRole('textbox', { name: this.words.conversations.write, exact: true });
  }

  get conversationId() {
    return new URL(this.page.url()).pathname.split('/').at(-1);
  }

  async say(text) {
    await this.box.fill(text);
    await this.box.press('Enter');
    await this.log.getByText(this.words.conversations.sending, { exact: true }).waitFor({ state: 'detached' });
    await this.pause();
  }

  /** With everything on, or only what is offered. */
  async addAgent({ agentId, name }, all = true) {
    await this.go(`agents/${agentId}`);
    const add = this.button(like(this.words.agents.add, { name }));
    await add.waitFor();
    const off = this.page.getByRole('switch', { checked: false });
    while (all && (await off.count())) await off.first().click();
    await add.click();
    await this.box.waitFor();
    return this.conversationId;
  }

  async escape(place = this.dialog) {
    await this.page.keyboard.press('Escape');
    await place.waitFor({ state: 'detached' });
  }

  /** A question takes no answer before it has stood still for a moment. */
  async answer(name) {
    await this.pause(900);
    await this.button(name, this.dialog).click();
  }

  /** In all sizes and themes. */
  async shoot(name, full = false) {
    const { page } = this;
    await this.pause();
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      // As a window of that height, so that what stays at its edge is at its edge.
      const height = full ? await page.evaluate(() => document.documentElement.scrollHeight) : 0;
      if (height > viewport.height) await page.setViewportSize({ ...viewport, height: Math.min(height, MAX_HEIGHT) });
      for (const theme of ['light', 'dark']) {
        await page.evaluate((value) => {
          document.documentElement.dataset.theme = value;
          // What fades from one theme to the other would be caught half way.
          for (const animation of document.getAnimations())
            if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
        }, theme);
        await page.waitForTimeout(150);
        const where = join(this.out, `${this.locale}-${size}-${theme}`);
        mkdirSync(where, { recursive: true });
        await page.screenshot({ path: join(where, `${name}.png`), animations: 'disabled' });
      }
    }
    await page.setViewportSize(SIZES.desktop);
  }

  close() {
    return this.page.context().close();
  }
}
