/** Everything there is in a conversation, for a device that has acknowledged nothing. */
export async function readConversation(call, conversation, device) {
  const messages = [];
  for (;;) {
    const after = messages.at(-1)?.conversation_seq ?? 0;
    const path = `/conversations/${conversation}/messages?after=${after}&limit=100`;
    const page = await call('GET', path, { token: device.token, renew: device.renew });
    messages.push(...page.messages);
    if (page.messages.length === 0) return { conversation, lastSeq: page.last_seq, messages };
  }
}

/** Oldest first. */
export async function readVersions(call, agent) {
  const versions = [];
  let cursor = '';
  for (;;) {
    const page = await call('GET', `/agents/${agent.id}/manifests?limit=100${cursor}`, { token: agent.token });
    for (const { capability_manifest_version: version, capability_manifest_hash: hash } of page.manifests) {
      versions.unshift({ version, hash });
    }
    if (page.next_cursor === null) return versions;
    cursor = `&cursor=${page.next_cursor}`;
  }
}
