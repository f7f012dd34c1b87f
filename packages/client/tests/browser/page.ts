import type { JsonObject } from '@parley/documents';
import { ApiError } from '@parley/messenger';
import { browserExecutors } from '../../src/executors/browser/index.ts';

const asked: unknown[] = [];

/** Stands for the server's proxy. */
const api = {
  async call(contract: { path: string }, input: { body?: { url: string } } = {}) {
    asked.push({ path: contract.path, body: input.body });
    if (input.body?.url.includes('inner')) {
      throw new ApiError({ status: 403, code: 'ADDRESS_BLOCKED', message: 'resolved to 10.0.0.1' });
    }
    if (input.body?.url === 'https://example.com/moved') {
      return { status_code: 302, headers: {}, body: '', truncated: false, redirect: 'https://other.example:8443/a' };
    }
    return {
      status_code: 200,
      headers: { 'content-type': 'text/html', 'set-cookie': 'a=1' },
      body: '<p>page</p>',
      truncated: false,
    };
  },
};

const entered: string[] = [];
let picked: Blob | undefined;
const executors = browserExecutors({ api: api as never, pickFile: async () => picked });

const actions = {
  list: () => executors.map(({ tool, scope, sensitivity }) => [tool, scope, sensitivity]),
  listWithoutOptions: () => browserExecutors().map(({ tool }) => tool),
  run: async (tool: string, args: JsonObject) => {
    const executor = executors.find((executor) => executor.tool === tool)!;
    try {
      return await executor.run(args, {
        signal: new AbortController().signal,
        locale: 'en',
        enter: async ({ id }) => void entered.push(id),
      });
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      return { code, message };
    }
  },
  note: (tool: string, args: JsonObject, locale: 'en' | 'zh-CN') =>
    executors.find((executor) => executor.tool === tool)!.privacyNote!(args, locale),
  pick: (bytes: number[] | undefined) => {
    picked = bytes && new Blob([Uint8Array.from(bytes)]);
  },
  copy: (text: string) => navigator.clipboard.writeText(text),
  asked: () => asked.splice(0),
  entered: () => entered.splice(0),
};

export type Actions = typeof actions;
Object.assign(globalThis, { actions });
