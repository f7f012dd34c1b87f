import { shareBrowser } from '@parley/testkit/browser';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { ensureBrowser } from '../../../../../scripts/browser.mjs';
import { type AgentSetup, type Bot, startBot, startBuiltInDemoBot, startRealDemoBot } from './bots.ts';
import { Person, type PersonOptions } from './person.ts';
import { ensureSite } from './site.ts';

interface Arrival extends PersonOptions {
  /** At another server than the world's. */
  readonly at?: string;
}

const LIMIT_MS = 300_000;

/** A server with the pages, a browser, and who takes part. */
export interface World {
  readonly server: TestServer;
  /** At an empty browser; gone when the test is over, if it arrived in one. */
  arrive(options?: Arrival): Promise<Person>;
  /** A contact of everyone who is there already (AC-4). */
  signUp(options?: PersonOptions): Promise<Person>;
  signUpStranger(options?: PersonOptions): Promise<Person>;
  demoBot(setup?: AgentSetup): Promise<Bot>;
  /** The one that comes with the server. */
  builtInDemoBot(): Promise<Bot>;
  bot(setup?: AgentSetup): Promise<Bot>;
}

const befriend = (people: readonly Person[]) => {
  const emails = people.map(({ email }) => `'${email}'`).join(', ');
  return `insert into contacts (account_id, contact_id) select a.id, b.id from accounts a join accounts b on a.id <> b.id
    where a.email in (${emails}) and b.email in (${emails}) on conflict do nothing`;
};

/** One for each file. Whatever a page complains about fails the test; of one that fails, its screen is kept. */
export function useWorld(config: () => Partial<TestServer['config']> = () => ({})): World {
  let server: TestServer;
  let browser: Browser;
  const people: Person[] = [];
  const bots: Bot[] = [];
  let residents = 0;

  // Longer than any wait of a person, so that it is the wait that says what did not come.
  vi.setConfig({ testTimeout: LIMIT_MS, hookTimeout: LIMIT_MS });
  beforeAll(async () => {
    const executable = ensureBrowser();
    if (executable === undefined) throw new Error('no browser for the browser tests: see scripts/browser.mjs');
    const webRoot = await ensureSite();
    server = await startTestServer({ webRoot, allowPrivateAddresses: true, ...config() });
    browser = await shareBrowser(executable);
  });

  beforeEach(() => {
    residents = people.length;
  });

  afterEach(async ({ task }) => {
    const failed = task.result?.state === 'fail';
    for (const [index, person] of people.entries()) if (failed) await person.save(`${task.name}-${index}`);
    const complaints = people.flatMap((person) => person.complaints.splice(0));
    await Promise.all(people.splice(residents).map((person) => person.close()));
    expect(complaints).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all(people.splice(0).map((person) => person.close()));
    await Promise.all(bots.map(({ agent }) => agent.disconnect()));
    await server?.drop();
    vi.resetConfig();
  });

  const join = async (starting: Promise<Bot>) => {
    const bot = await starting;
    bots.push(bot);
    return bot;
  };
  const arrive = async ({ at = server.url, ...options }: Arrival = {}) => {
    const person = await Person.arrive(browser, at, options);
    people.push(person);
    return person;
  };

  return {
    get server() {
      return server;
    },
    arrive,
    signUp: async (options) => {
      const person = await (await arrive(options)).signUp();
      await server.editDatabase(befriend(people));
      return person;
    },
    signUpStranger: async (options) => (await arrive(options)).signUp(),
    builtInDemoBot: () => join(startBuiltInDemoBot(server)),
    demoBot: (setup) => join(startRealDemoBot(server, setup)),
    bot: (setup) => join(startBot(server, setup)),
  };
}
