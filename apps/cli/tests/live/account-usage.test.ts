import { BUDGET_NAMES } from '@parley/protocol';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBuiltCommand, useFolder } from '../run.ts';
import { Machine } from './person.ts';

useBuiltCommand();
const folder = useFolder();

let server: TestServer;
let ada: Machine;
beforeAll(async () => {
  server = await startTestServer({ budgets: { agents: 7 } });
  ada = new Machine(folder.path, 'ada', server.url);
  await ada.register('ada@example.org');
});
afterAll(() => server.drop());

describe('OP-1 parley account usage', () => {
  test('OP-1 shows each budget with what is used and the limit, in both languages', async () => {
    const { code, json } = await ada.json(['account', 'usage']);
    expect(code).toBe(0);
    expect(json.budgets.map(({ name }: { name: string }) => name)).toEqual(BUDGET_NAMES);
    const agents = json.budgets.find(({ name }: { name: string }) => name === 'agents');
    expect(agents).toEqual({ name: 'agents', kind: 'stored', unit: 'agents', used: 0, limit: 7 });
    const english = await ada.run(['account', 'usage']);
    expect(english.stdout).toContain('agents  0 of 7\n    Agents\n');
    expect(english.stdout).toContain('of 2 GiB');
    const chinese = await ada.run(['account', 'usage', '--locale', 'zh-CN']);
    expect(chinese.stdout).toContain('已用 0，上限 7');
  });

  test('OP-1 asks to sign in first', async () => {
    const nobody = new Machine(folder.path, 'nobody', server.url);
    expect(await nobody.json(['account', 'usage'])).toMatchObject({
      code: 1,
      json: { error: { code: 'NOT_SIGNED_IN' } },
    });
  });
});
