// @ts-check
import { ToolError } from '@parley/agent';
import { words } from './words.mjs';

/**
 * What the agent says to a message. Begin here: this one reads a page, shows a notification, or says what it can do.
 *
 * @param {import('@parley/agent').Agent} agent
 * @param {import('@parley/agent').AgentMessage} message
 * @returns {Promise<string>}
 */
export async function answer(agent, { conversation_id: id, payload: { text } }) {
  const url = /https?:\/\/[^\s，。？]+/.exec(text)?.[0];
  const reminder = /^(?:remind me|提醒我)(?: to)?\s*(.+)/i.exec(text)?.[1];
  try {
    if (url !== undefined) {
      /** @type {{ status_code: number, body: string }} */
      const page = await agent.callTool(id, 'fetch_url', { url });
      return words.page(url, page.status_code, page.body.slice(0, 500));
    }
    if (reminder !== undefined) {
      await agent.callTool(id, 'send_notification', { title: reminder.slice(0, 80) });
      return words.reminded;
    }
    return words.help;
  } catch (error) {
    // The person said no, or the device could not do it. Anything else is a mistake in this program.
    if (!(error instanceof ToolError)) throw error;
    return explain(error);
  }
}

/** @param {ToolError} error */
function explain({ reason, detail }) {
  switch (reason) {
    case 'user_refused':
    case 'user_timeout':
      return words.refused;
    case 'scope_not_granted':
    case 'permission_revoked':
      return words.notGranted;
    default:
      return words.notDone(detail);
  }
}
