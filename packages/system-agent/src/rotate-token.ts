import { displayText } from '@parley/documents';
import type { OwnAgent } from './tools.ts';
import type { Turn } from './turn.ts';

/** The token goes to the device and stays there (SA-2). */
export async function rotateToken(turn: Turn, agent: OwnAgent): Promise<void> {
  const { texts } = turn;
  const name = displayText(agent.name);
  const blocks = [{ tag: 'status', text: texts.rotateLead, tone: 'warning' } as const];
  const question = {
    kind: 'approval',
    title: texts.rotateTitle(name),
    blocks,
    go: texts.rotate,
    danger: true,
  } as const;
  await turn.ask(question, async () => {
    await turn.tools.rotateToken(agent);
    await turn.say(texts.rotated(name));
  });
}
