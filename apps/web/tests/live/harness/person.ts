import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { act, guardWaits, see } from './waits.ts';
import { fill, type Locale, type Words, wordsOf } from './words.ts';

const RESULTS = fileURLToPath(new URL('../../../../../.parley/web-tests/', import.meta.url));
const PASSWORD = 'correct horse battery';
/** Only ends what never comes: a busy machine may take as long as it likes. */
const PATIENCE_MS = 90_000;

/** The browser's remark on an answer that says no, or on a line that is down: both are the page's business. */
const ANSWERED = /^Failed to load resource: (the server responded|net::ERR_(INTERNET_DISCONNECTED|CONNECTION))/;

export interface PersonOptions extends BrowserContextOptions {
  readonly language?: Locale;
  readonly name?: string;
  readonly email?: string;
  /** Runs in every page before its own scripts. */
  readonly prepare?: (context: BrowserContext) => Promise<void>;
}

type Answer = 'allow' | 'once' | 'deny' | 'alwaysDeny' | 'stopAsking';

/** Someone at a browser of their own. */
export class Person {
  readonly context: BrowserContext;
  readonly origin: string;
  readonly locale: Locale;
  readonly words: Words;
  readonly name: string;
  readonly email: string;
  /** What the console and the page's policy complained about. Must be empty in the end. */
  readonly complaints: string[] = [];
  readonly #log: string[] = [];
  #page!: Page;

  private constructor(context: BrowserContext, origin: string, { language = 'en', name, email }: PersonOptions) {
    this.context = context;
    this.origin = origin;
    this.locale = language;
    this.words = wordsOf(language);
    this.name = name ?? 'Ada';
    this.email = email ?? `${crypto.randomUUID()}@example.org`;
  }

  static async arrive(browser: Browser, origin: string, options: PersonOptions = {}): Promise<Person> {
    const { language = 'en', name: _, email: __, prepare, ...rest } = options;
    const context = await browser.newContext({
      viewport: { width: 1200, height: 800 },
      locale: language,
      // Only where they are wanted: each would fetch the whole site.
      serviceWorkers: 'block',
      ...rest,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await guardWaits(context);
    await prepare?.(context);
    const person = new Person(context, origin, options);
    context.on('page', (page) => person.#watch(page));
    person.#page = await context.newPage();
    return person;
  }

  get credentials() {
    return { email: this.email, account_password: PASSWORD };
  }

  get page(): Page {
    return this.#page;
  }

  #watch(page: Page): void {
    page.on('console', (message) => {
      this.#log.push(`${message.type()}: ${message.text()}`);
      if (message.type() === 'error' && !ANSWERED.test(message.text())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  /** Complaints that belong to what the test does. */
  forgive(pattern: RegExp): void {
    const rest = this.complaints.filter((text) => !pattern.test(text));
    this.complaints.splice(0, this.complaints.length, ...rest);
  }

  async save(title: string): Promise<void> {
    const name = title.replaceAll(/[^\w-]+/g, '-').slice(-80);
    mkdirSync(RESULTS, { recursive: true });
    writeFileSync(join(RESULTS, `${name}.log`), [...this.#log, ...this.complaints].join('\n'));
    await this.page.screenshot({ path: join(RESULTS, `${name}.png`) }).catch(() => {});
  }

  // Where to go, and what to do there.

  async open(path = ''): Promise<void> {
    await this.page.goto(`${this.origin}/app/${path}`);
  }

  /** Another page of the app, without loading it anew. */
  async go(path: string): Promise<void> {
    await act(this.page);
    await this.page.evaluate((to) => history.pushState({}, '', to), `/app/${path}`);
  }

  /** Everything that was typed is on disk: nobody is asked any more whether to leave. */
  async isKept(): Promise<void> {
    const asks = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
    await expect.poll(() => this.page.evaluate(asks)).toBe(false);
  }

  /** As a person does who is asked whether to leave: once nothing is in the way. */
  async reload(): Promise<void> {
    await this.isKept();
    await this.page.reload();
  }

  /** The same person at the same browser, in another tab. */
  async openTab(path = ''): Promise<Person> {
    const { locale: language, name, email } = this;
    const other = new Person(this.context, this.origin, { language, name, email });
    other.#page = await this.context.newPage();
    await other.open(path);
    return other;
  }

  /** A tab like the one that was closed. */
  async reopen(path = ''): Promise<void> {
    this.#page = await this.context.newPage();
    await this.open(path);
  }

  async signUp(): Promise<this> {
    const { signIn } = this.words;
    await this.open();
    await this.button(signIn.toCreate).click();
    await this.page.getByLabel(signIn.name, { exact: true }).fill(this.name);
    await this.enterCredentials();
    await this.button(signIn.create).click();
    await this.atHome();
    return this;
  }

  async signIn(): Promise<void> {
    await this.open();
    await this.enterCredentials();
    await this.button(this.words.signIn.submit).click();
  }

  async enterCredentials(): Promise<void> {
    await this.page.getByLabel(this.words.signIn.email, { exact: true }).fill(this.email);
    await this.page.getByLabel(this.words.signIn.password, { exact: true }).fill(PASSWORD);
  }

  async atHome(): Promise<void> {
    await this.page.getByRole('heading', { name: this.words.conversations.title, exact: true }).waitFor();
  }

  /** Waits for what need not be new: `waitFor` refuses what was there before the last action. */
  sees(locator: Locator): Promise<void> {
    return see(locator);
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The code that this device shows while it waits (EE-16). */
  async waitingCode(): Promise<string> {
    const code = this.page.getByTestId('code');
    await code.waitFor();
    return (await code.textContent())!;
  }

  /** Lets in the one device that waits. */
  async approve(code: string, { keeper = true } = {}): Promise<void> {
    const { devices } = this.words.settings;
    await this.go('settings');
    await this.page.getByRole('button', { name: new RegExp(`^${devices.approve}`) }).click();
    await this.page.getByLabel(devices.code, { exact: true }).fill(code);
    await this.page.getByLabel(devices.keepToo, { exact: true }).setChecked(keeper);
    await this.prompt.getByRole('button', { name: devices.approve, exact: true }).click();
    await this.prompt.waitFor({ state: 'detached' });
  }

  /** A second browser of the same person signs in, and is let in here. */
  async letIn(second: Person, options?: { keeper?: boolean }): Promise<void> {
    await second.signIn();
    await this.approve(await second.waitingCode(), options);
    await second.atHome();
  }

  /** The recovery secret, which is shown until it is saved (EE-17). */
  async readRecoverySecret(): Promise<string> {
    const { shell, conversations } = this.words;
    // The bar, or the first steps where they say the same.
    const ways = this.button(shell.recovery.show).or(this.button(conversations.first.secretShow));
    await ways.filter({ visible: true }).click();
    const secret = this.prompt.getByTestId('recovery-secret');
    await secret.waitFor();
    return (await secret.textContent())!;
  }

  /** Consent as it is offered, with `more` scopes switched on; ends in the conversation. */
  async addAgent(agentId: string, name: string, more: readonly string[] = []): Promise<void> {
    await this.go(`agents/${agentId}`);
    for (const label of more) await this.page.getByRole('switch', { name: label, exact: true }).click();
    await this.button(fill(this.words.agents.add, { name })).click();
    await this.page.getByRole('textbox', { name: this.words.conversations.write, exact: true }).waitFor();
  }

  get conversationId(): string {
    return new URL(this.page.url()).pathname.split('/').at(-1)!;
  }

  async say(text: string): Promise<void> {
    const box = this.page.getByRole('textbox', { name: this.words.conversations.write, exact: true });
    await box.fill(text);
    await box.press('Enter');
  }

  get thread(): Locator {
    return this.page.getByRole('log');
  }

  get prompt(): Locator {
    return this.page.getByRole('dialog');
  }

  /** What allows for 24 hours where that can be, else once. */
  answerButton(answer: Answer): Locator {
    const { prompt } = this.words.conversations;
    const { allowDay, allowOnce } = prompt;
    if (answer === 'allow')
      return this.prompt.getByRole('button', { name: new RegExp(`^(${allowDay}|${allowOnce})`) }).first();
    if (answer === 'once') return this.prompt.getByRole('button', { name: new RegExp(`^${allowOnce}`) });
    return this.prompt.getByRole('button', { name: prompt[answer], exact: true });
  }

  /** A question takes no answer before it has been still for a moment (WC-10); a click here waits for that. */
  answer(answer: Answer): Promise<void> {
    return this.answerButton(answer).click();
  }

  /** For what does not wait by itself: keys. */
  async answerable(): Promise<void> {
    await expect.poll(() => this.answerButton('deny').getAttribute('aria-disabled')).toBe(null);
  }

  /** Which of the questions in a row this is. */
  place(at: number, of: number): Locator {
    return this.prompt.getByText(fill(this.words.conversations.prompt.place, { at, of }), { exact: true });
  }

  async close(): Promise<void> {
    // An answer that is being changed at this moment is nobody's concern any more.
    await this.page.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {});
    await this.context.close();
  }
}
