import { displayText } from '@parley/documents';
import type { Values } from './open-cards.ts';
import type { Block, Turn } from './turn.ts';

const MAX_NAME = 64;
const MAX_DESCRIPTION = 2_000;

export async function createAgent(turn: Turn, draft: Values = {}, problem?: string): Promise<void> {
  const { texts } = turn;
  const options = [
    { value: 'private', label: texts.private },
    { value: 'public', label: texts.public },
  ];
  const text = (id: string) => (typeof draft[id] === 'string' && draft[id] !== '' ? { value: draft[id] } : {});
  const blocks: Block[] = [
    ...(problem === undefined ? [] : [{ tag: 'status', text: problem, tone: 'error' } as const]),
    { tag: 'text', text: texts.createLead },
    { tag: 'input', id: 'name', label: texts.name, required: true, ...text('name') },
    { tag: 'input', id: 'description', label: texts.description, ...text('description') },
    { tag: 'select', id: 'visibility', label: texts.visibility, options, value: 'private' },
  ];
  await turn.ask({ kind: 'form', title: texts.createTitle, blocks, go: texts.create }, async (values) => {
    const name = String(values.name ?? '').trim();
    if (name === '' || displayText(name, MAX_NAME) !== name) return createAgent(turn, values, texts.nameInvalid);
    const description = String(values.description ?? '').trim();
    const made = await turn.tools.createAgent({
      name,
      visibility: values.visibility === 'public' ? 'public' : 'private',
      ...(description === '' ? {} : { description: description.slice(0, MAX_DESCRIPTION) }),
    });
    await turn.say(texts.created(displayText(made.name)));
  });
}
