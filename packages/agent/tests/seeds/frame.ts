import type { HasheeAgent } from '@parley/agent';

// What the seeds' snippets take for granted. They see whatever was entered before they are imported.

export let agent: HasheeAgent;
export let conversationId: string;

export function enter(scene: { agent: HasheeAgent; conversationId: string }): void {
  agent = scene.agent;
  conversationId = scene.conversationId;
}
