import { createSkillClient, type SkillClient, SkillError } from '@parley/skills';
import { createMemoryStore, HandlerError, type SkillHandler } from '@parley/skills/provider';
import { listen } from '@parley/skills/provider/node';

const client: SkillClient = createSkillClient();
const failure = await client.fetchDescriptor('http://127.0.0.1:1/skills/none').catch((error: unknown) => error);
if (!(failure instanceof SkillError)) throw new Error('this machine was asked');
export const handler: SkillHandler = async ({ text }) => {
  if (typeof text !== 'string') throw new HandlerError('There is no text.');
  return { words: text.split(/\s+/u).length };
};
export const parts = { store: createMemoryStore(), listen };
