import type { Response } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useWorld } from './harness/index.ts';

const MAX_BYTES = 200_000;
const MAX_REQUESTS = 20;

describe('HS-11 the first load', () => {
  const world = useWorld();

  it('HS-11 before signing in, everything that a browser fetches is small, little, and from the same place', async () => {
    const eve = await world.arrive({ serviceWorkers: 'allow' });
    const { page } = eve;
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    await page.goto(`${eve.origin}/app/`);
    await page.getByRole('button', { name: eve.words.signIn.submit, exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    const sizes = await Promise.all(
      responses.map(async (response) => {
        const { responseBodySize, responseHeadersSize } = await response.request().sizes();
        return [response.url(), responseBodySize + responseHeadersSize] as const;
      }),
    );
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    expect(total, JSON.stringify(sizes)).toBeLessThan(MAX_BYTES);
    // Fewer would mean that not all were seen.
    expect(sizes.length).toBeGreaterThan(4);
    expect(sizes.length, JSON.stringify(sizes)).toBeLessThan(MAX_REQUESTS);
    expect(sizes.filter(([url]) => !url.startsWith(`${eve.origin}/`))).toEqual([]);
  });
});
