const HEAD = `# Frames

<!-- Generated from packages/protocol by \`npm run generate\`. Do not edit. -->

Every frame of the sockets \`/ws/human\` and \`/ws/agent?agent_id=\`, in both directions (TR-1). A frame is one WebSocket text
message with one JSON object. Its \`type\` says which one it is, and it has the fields listed here and no others.

1. Open the socket and send \`auth\`.
2. After \`auth.ok\` the server pushes every message and event that this device or agent has not acknowledged, then whatever
   is new. Nothing has to be asked for.
3. Handle what comes, then say so: \`ack\` for messages, \`event.ack\` for events. What was not acknowledged comes again on the
   next socket.

- A field with \`?\` may be left out.
- **Any frame** that is not in this list, or has not its form, is answered by \`error\` with \`BAD_REQUEST\`; any frame may be
  answered with \`UNAVAILABLE\` (try again later) or \`INTERNAL\`. The codes are explained in [errors.md](errors.md).
- Before \`auth\` any other frame ends the socket with \`auth.error\` (\`auth_required\`).
- A client passes over frames and events whose \`type\` it does not know: a newer server may send them.
`;

/** The page `docs/frames.md`. @param {typeof import('@parley/protocol')} protocol @returns {string} */
export function renderFrames(protocol) {
  const { CLIENT_FRAMES, CLIENT_FRAME_NOTES, SERVER_FRAMES, SERVER_FRAME_NOTES, EVENTS, EVENT_NOTES } = protocol;
  const name = nameTypes(protocol);
  const client = Object.entries(CLIENT_FRAMES).map(([type, schema]) => {
    const { when, answer, errors } = CLIENT_FRAME_NOTES[type];
    const codes = errors.length === 0 ? [] : [`**Errors**: ${errors.map((code) => `\`${code}\``).join(', ')}.`];
    return section(type, [`**When**: ${when}`, fields(schema, name), `**Answer**: ${answer}`, ...codes]);
  });
  const toldOf = (notes, schemas) =>
    Object.entries(notes).map(([type, { when, then }]) =>
      section(type, [
        `**When**: ${when}`,
        fields(schemas[type], name),
        ...(then === undefined ? [] : [`**Then**: ${then}`]),
      ]),
    );
  return [
    HEAD,
    `## From the client\n\n${client.join('\n')}`,
    `## From the server\n\n${toldOf(SERVER_FRAME_NOTES, SERVER_FRAMES).join('\n')}`,
    `## Events\n\nEvents come from the server as well, as \`{ type, event_id, …fields }\`, in the order of \`event_id\`. Polling brings\nthe same ones (TR-4). They may get further fields.\n\n${toldOf(EVENT_NOTES, EVENTS).join('\n')}`,
    reasons(protocol),
    closeCodes(protocol),
  ].join('\n');
}

function section(type, parts) {
  return `### \`${type}\`\n\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The fields of a frame, as a table; nothing for a frame that has none. */
function fields({ properties, required = [] }, name) {
  const rows = Object.entries(properties)
    .filter(([key]) => key !== 'type')
    .map(([key, schema]) => `| \`${key}${required.includes(key) ? '' : '?'}\` | ${name(schema)} |`);
  return rows.length === 0 ? '' : ['| Field | Type |', '| --- | --- |', ...rows].join('\n');
}

/** A schema in words. What it cannot name is an error: a type must not go undocumented. */
function nameTypes({ Envelope, Sender }) {
  const name = (schema) => {
    const text = JSON.stringify(schema);
    if (text === JSON.stringify(Envelope)) return 'envelope: `{ header, ciphertext, wraps, signature }` (EE-1)';
    if (text === JSON.stringify(Sender)) return '`{ kind: "human" or "agent", id, device_id? }`';
    const words = describe(schema, name);
    if (words === undefined) throw new Error(`render-frames: no words for ${text}`);
    return schema.description === undefined ? words : `${words}: ${lower(schema.description)}`;
  };
  return name;
}

function describe(schema, name) {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.anyOf !== undefined) return schema.anyOf.map(name).join(' or ');
  switch (schema.type) {
    case 'string':
      return describeString(schema);
    case 'integer':
      return `integer${schema.minimum === undefined ? '' : `, at least ${schema.minimum}`}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'array':
      return `list of ${name(schema.items)}`;
    case 'object':
      return describeObject(schema, name);
    default:
      return undefined;
  }
}

function describeString({ pattern, maxLength }) {
  if (pattern?.startsWith('^[0-9a-f]{8}')) return 'UUID, lower case';
  if (pattern === '^[0-9a-f]{64}$') return 'SHA-256, 64 hex digits';
  const limit = maxLength === undefined ? '' : `, at most ${maxLength} characters`;
  return pattern === undefined ? `text${limit}` : `text that fits \`${pattern.replaceAll('|', '\\|')}\`${limit}`;
}

function describeObject({ properties, required = [], patternProperties }, name) {
  const [pattern] = Object.entries(patternProperties ?? {});
  if (pattern !== undefined) {
    const [key, value] = pattern;
    return `object: ${name({ type: 'string', pattern: key })} → ${value.type === undefined ? 'anything' : name(value)}`;
  }
  const keys = Object.entries(properties).map(([key, schema]) => {
    return `${key}${required.includes(key) ? '' : '?'}: ${name(schema).replaceAll('`', '')}`;
  });
  return `\`{ ${keys.join(', ')} }\``;
}

const lower = (text) => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');

function reasons({ AUTH_REASONS }) {
  const rows = Object.entries(AUTH_REASONS).map(
    ([reason, texts]) => `| \`${reason}\` | ${texts.en} | ${texts['zh-CN']} |`,
  );
  return `## Reasons of \`auth.error\`\n\n| Reason | English | 中文 |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function closeCodes({ CLOSE_CODES, CLOSE_CODE_NOTES }) {
  const rows = Object.entries(CLOSE_CODES).map(([key, code]) => `| ${code} | ${CLOSE_CODE_NOTES[key]} |`);
  return `## Close codes\n\n| Code | Why, and what to do |\n| --- | --- |\n${rows.join('\n')}\n`;
}
