import { displayText } from '@parley/documents';
import type { OwnAgent } from './tools.ts';
import type { Turn } from './turn.ts';

/** The token goes to the device and stays there (SA-2). */
export async function rotateToken(turn: Turn, agent: OwnAgent): Promise<void> {
  const { words } = turn;
  const name = displayText(agent.name);
  const blocks = [{ tag: 'status', text: words.rotateLead, tone: 'warning' } as const];
  const question = {
    kind: 'approval',
    title: words.rotateTitle(name),
    blocks,
    go: words.rotate,
    danger: true,
  } as const;
  await turn.ask(question, async () => {
    await turn.tools.rotateToken(agent);
    await turn.say(words.rotated(name));
  });
}
