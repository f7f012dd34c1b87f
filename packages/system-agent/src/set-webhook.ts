import { displayText } from '@parley/documents';
import type { OwnAgent } from './tools.ts';
import type { Block, Turn } from './turn.ts';

const MAX_URL = 2_048;

/** Asks for the address, then for confirmation (SA-2). The server decides whether the address can be reached (TR-5). */
export async function setWebhook(turn: Turn, agent: OwnAgent, url = '', problem?: string): Promise<void> {
  const { texts } = turn;
  const name = displayText(agent.name);
  const blocks: Block[] = [
    ...(problem === undefined ? [] : [{ tag: 'status', text: problem, tone: 'error' } as const]),
    { tag: 'text', text: texts.webhookLead },
    {
      tag: 'input',
      id: 'url',
      label: texts.url,
      required: true,
      placeholder: 'https://',
      ...(url === '' ? {} : { value: url }),
    },
  ];
  await turn.ask({ kind: 'form', title: texts.webhookTitle(name), blocks, go: texts.next }, async (values) => {
    const text = String(values.url ?? '').trim();
    if (!isAddress(text)) return setWebhook(turn, agent, text.slice(0, MAX_URL), texts.urlInvalid);
    return confirm(turn, agent, text);
  });
}

async function confirm(turn: Turn, agent: OwnAgent, url: string): Promise<void> {
  const { texts } = turn;
  const name = displayText(agent.name);
  const blocks: Block[] = [
    { tag: 'code', text: displayText(url, MAX_URL) },
    { tag: 'text', text: texts.webhookAgain },
  ];
  const title = texts.webhookAgainTitle(name);
  await turn.ask({ kind: 'approval', title, blocks, go: texts.webhookGo, danger: true }, async () => {
    const set = await turn.tools.setWebhook(agent, url);
    const secret = set.secret_shown ? texts.webhookSecret : texts.webhookSameSecret;
    await turn.say(`${texts.webhookSet(name, displayText(set.url, MAX_URL))} ${secret}`);
  });
}

/** Accepts https, and plain http only to this machine, which only a server in development accepts (TR-5). */
function isAddress(text: string): boolean {
  if (text.length > MAX_URL || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
}
