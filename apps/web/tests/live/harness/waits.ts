import type { BrowserContext, Locator, Page } from 'playwright-core';

type Wait = Locator['waitFor'];
type Options = NonNullable<Parameters<Wait>[0]>;

interface Changes {
  /** Something was done to the page, by a person or by the test. */
  act(): void;
  /** Is one of these new since the wait before the last action? Counts as a wait. */
  look(elements: readonly Element[]): boolean;
}

const KEY = 'changesOfThisPage';
const GUARDED = Symbol.for('parley.guardedWaits');
/** What a locator is used for once it was found: a person has seen it then. */
const USES = ['click', 'fill', 'press', 'check', 'selectOption', 'textContent'] as const;

type Guarded = Locator & { [GUARDED]?: Wait };
const seenOn = new WeakMap<Page, Set<string>>();

/**
 * HS-18: from now on a wait on these pages fails where it would have waited for nothing: for something that was there
 * before the action, or for the end of something that nobody had seen. See `Person.sees`.
 */
export async function guardWaits(context: BrowserContext): Promise<void> {
  await context.addInitScript(watchChanges, KEY);
  context.on('page', (page) => guard(Object.getPrototypeOf(page.locator('html'))));
}

/** Waits for what may have been there all along. */
export async function see(locator: Locator): Promise<void> {
  const { [GUARDED]: waitFor } = Object.getPrototypeOf(locator) as Guarded;
  await (waitFor ?? locator.waitFor).call(locator);
  await isNew(locator);
  remember(locator);
}

/** To be called in the page by what acts on it without a pointer or a key. */
export function act(page: Page): Promise<void> {
  return page.evaluate((key) => (globalThis as unknown as Record<string, Changes>)[key]?.act(), KEY);
}

/** All locators share one prototype, whatever page they belong to. */
function guard(prototype: Guarded): void {
  if (prototype[GUARDED] !== undefined) return;
  const { waitFor } = prototype;
  prototype[GUARDED] = waitFor;
  prototype.waitFor = async function (this: Locator, options: Options = {}) {
    // Made here, where the stack still leads to the test.
    const [stale, unseen] = [new Error(), new Error()];
    const { state = 'visible' } = options;
    if (state === 'visible' || state === 'attached') {
      await waitFor.call(this, options);
      stale.message = `waited for something that was there before the action: ${this}`;
      if (!(await isNew(this))) throw stale;
      remember(this);
    } else {
      unseen.message = `waited for the end of something that nobody had seen: ${this}`;
      if (!forget(this)) throw unseen;
      await waitFor.call(this, options);
    }
  };
  for (const name of USES) {
    const use = prototype[name] as (...args: unknown[]) => Promise<never>;
    prototype[name] = async function (this: Locator, ...args: unknown[]) {
      const result = await use.apply(this, args);
      remember(this);
      return result;
    } as never;
  }
}

/** One that has gone again by now was new, and so is everything in another document. */
async function isNew(locator: Locator): Promise<boolean> {
  const ask = (elements: Element[], key: string) =>
    (globalThis as unknown as Record<string, Changes>)[key]?.look(elements) ?? true;
  return locator.evaluateAll(ask, KEY).catch(() => true);
}

function remember(locator: Locator): void {
  const page = locator.page();
  if (!seenOn.has(page)) seenOn.set(page, new Set());
  seenOn.get(page)!.add(String(locator));
}

/** Whoever saw a part of something has seen it. */
function forget(locator: Locator): boolean {
  const seen = seenOn.get(locator.page()) ?? new Set();
  const parts = [...seen].filter((one) => one === String(locator) || one.startsWith(`${locator}.`));
  for (const part of parts) seen.delete(part);
  return parts.length > 0;
}

/**
 * Runs in the page. Changes are numbered by the waits between which they happened, and an action makes those since the
 * last wait the new ones. Not those since the action itself: what an earlier step brings would count or not, depending
 * on which of the two was faster.
 */
function watchChanges(key: string): void {
  /** Added or shown: with it all that is inside. */
  const appeared = new WeakMap<Node, number>();
  /** Something in it is not as it was: with it all that it is inside of. */
  const touched = new WeakMap<Node, number>();
  let waits = 0;
  let since = 0;
  const telling = /^(hidden|style|class|open|inert|disabled|value|data-state|aria-.*)$/;

  const note = (records: readonly MutationRecord[]) => {
    for (const { type, target, addedNodes, attributeName } of records) {
      if (type === 'attributes') {
        if (!telling.test(attributeName!)) continue;
        // What a dialog does to the whole page shows nothing.
        if (target !== document.documentElement && target !== document.body) appeared.set(target, waits);
      }
      touched.set(target, waits);
      if (target.parentNode) touched.set(target.parentNode, waits);
      for (const node of addedNodes) {
        appeared.set(node, waits);
        touched.set(node, waits);
      }
    }
  };
  const observer = new MutationObserver(note);
  const observe = (root: Node) =>
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  observe(document);
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, options);
    observe(root);
    return root;
  };

  const act = () => {
    since = waits;
  };
  for (const type of ['pointerdown', 'keydown', 'input']) addEventListener(type, act, { capture: true, passive: true });

  const outward = (node: Node): Node | null => node.parentNode ?? (node as ShadowRoot).host ?? null;
  const isNewIn = (map: WeakMap<Node, number>, node: Node) => (map.get(node) ?? 0) >= since;
  const isNew = (element: Element): boolean => {
    for (let node: Node | null = element; node !== null; node = outward(node)) if (isNewIn(appeared, node)) return true;
    const inside = document.createTreeWalker(element);
    for (let node: Node | null = element; node !== null; node = inside.nextNode())
      if (isNewIn(touched, node)) return true;
    return false;
  };
  const look = (elements: readonly Element[]) => {
    note(observer.takeRecords());
    // Found a moment ago and taken out since: where it hung, and so when it came, can no longer be told.
    const there = elements.filter((element) => element.isConnected);
    const found = there.length === 0 || there.some(isNew);
    waits++;
    return found;
  };
  Object.defineProperty(globalThis, key, { value: { act, look } satisfies Changes });
}
