/** Answers a greeting itself; for anything else it asks the person's device to fetch the address. */
export function answerMessages(agent) {
  agent.addMessageHandler(async ({ conversation_id: conversationId, payload }) => {
    const say = (text) => agent.send(conversationId, { type: 'text', text });
    if (payload.text === 'Are you there?') return say('I am here.');
    try {
      const page = await agent.callTool(conversationId, 'fetch_url', { url: payload.text });
      return say(`It says: ${page.body}`);
    } catch (error) {
      return say(`${error.name}: ${error.reason}`);
    }
  });
}
