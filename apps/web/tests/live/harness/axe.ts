import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'vitest';
import type { Person } from './person.ts';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
/** Those of the rules with these tags that look at colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const SIZES = { desktop: { width: 1200, height: 800 }, phone: { width: 390, height: 844 } } as const;
type Size = keyof typeof SIZES;

interface Axe {
  run(
    context: Document,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] }>;
}

/** For `arrive`: the checker is there before the page is. */
export const withAxe = {
  prepare: async (context: Person['context']) => {
    await context.addInitScript({ content: SOURCE });
  },
};

/** What is on the screen now, once it is all there: in light and dark, on a desktop and a phone. */
export async function expectForEveryone(person: Person, state: string, sizes = Object.keys(SIZES) as Size[]) {
  const { page } = person;
  await expect.poll(() => page.locator('main .animate-spin, main [aria-busy=true]').count()).toBe(0);
  const found: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(SIZES[size]);
    found.push(...(await check(person)).map((text) => `${size} ${text}`));
  }
  await page.setViewportSize(SIZES.desktop);
  if (found.length > 0) throw new Error(`${state}:\n${found.join('\n')}`);
}

function check({ page }: Person): Promise<string[]> {
  return page.evaluate(
    async ([tags, ofColours]) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      /** All of the page but its colours. */
      const outline = () =>
        [...document.body.querySelectorAll('*')].reduce((text, element) => {
          const { display, visibility } = getComputedStyle(element);
          const { x, y, width, height } = element.getBoundingClientRect();
          return `${text};${display} ${visibility} ${x} ${y} ${width} ${height}`;
        }, document.body.innerHTML);
      const findViolations = async (rules: readonly string[]) => {
        const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ['violations'] });
        return violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary ?? ''}`),
        );
      };
      /** Whether something scrolls depends on the fonts; whether keys could scroll it must not. A line never does. */
      const findUnreachable = () => {
        const line = 80;
        const stops =
          'a[href], button:not(:disabled), input, select, textarea, summary, [tabindex="0"], [contenteditable]';
        return [...document.querySelectorAll<HTMLElement>('body *')]
          .filter((element) => {
            const { overflowX, overflowY } = getComputedStyle(element);
            const scrolls = [overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll');
            return (
              scrolls &&
              (element.textContent?.length ?? 0) >= line &&
              !element.matches(stops) &&
              element.querySelector(stops) === null &&
              !element.shadowRoot
            );
          })
          .map(({ localName, className }) => `no key scrolls <${localName} class="${className}">`);
      };

      const found: string[] = [];
      let seen: string | undefined;
      for (const theme of ['light', 'dark']) {
        document.documentElement.dataset.theme = theme;
        // What fades would be measured half way.
        for (const animation of document.getAnimations())
          if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
        const now = outline();
        // The other rules would find the same again: they take as long as those of the colours.
        const rules = now === seen ? ofColours : tags;
        const wrong = [...(await findViolations(rules)), ...findUnreachable()];
        found.push(...wrong.map((text) => `${theme}: ${text}`));
        seen = now;
      }
      return found;
    },
    [TAGS, OF_COLOURS] as const,
  );
}
