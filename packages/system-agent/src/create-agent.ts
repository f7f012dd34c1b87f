import { displayText } from '@parley/documents';
import type { Values } from './open-cards.ts';
import type { Block, Turn } from './turn.ts';

const MAX_NAME = 64;
const MAX_DESCRIPTION = 2_000;

export async function createAgent(turn: Turn, draft: Values = {}, problem?: string): Promise<void> {
  const { words } = turn;
  const options = [
    { value: 'private', label: words.private },
    { value: 'public', label: words.public },
  ];
  const text = (id: string) => (typeof draft[id] === 'string' && draft[id] !== '' ? { value: draft[id] } : {});
  const blocks: Block[] = [
    ...(problem === undefined ? [] : [{ tag: 'status', text: problem, tone: 'error' } as const]),
    { tag: 'text', text: words.createLead },
    { tag: 'input', id: 'name', label: words.name, required: true, ...text('name') },
    { tag: 'input', id: 'description', label: words.description, ...text('description') },
    { tag: 'select', id: 'visibility', label: words.visibility, options, value: 'private' },
  ];
  await turn.ask({ kind: 'form', title: words.createTitle, blocks, go: words.create }, async (values) => {
    const name = String(values.name ?? '').trim();
    if (name === '' || displayText(name, MAX_NAME) !== name) return createAgent(turn, values, words.nameInvalid);
    const description = String(values.description ?? '').trim();
    const made = await turn.tools.createAgent({
      name,
      visibility: values.visibility === 'public' ? 'public' : 'private',
      ...(description === '' ? {} : { description: description.slice(0, MAX_DESCRIPTION) }),
    });
    await turn.say(words.created(displayText(made.name)));
  });
}
