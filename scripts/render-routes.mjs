const HEAD = `# Routes

<!-- Generated from packages/protocol by \`npm run generate\`. Do not edit. -->

Every route with its limits and who may call it (TR-8). A test walks this table with every kind of caller. The same, with
schemas, is at \`/docs\` and \`/openapi.json\` of a running server; the frames of the sockets \`/ws/human\` and \`/ws/agent\` are
in [frames.md](frames.md).

- *Lines*: callers that accept \`application/x-ndjson\` are told the reply while it comes to be.
- **Body**: the largest request in bytes; above it the answer is 413.
- **A minute**: requests, counted by the caller's account or agent, or by address; above it the answer is 429 with \`Retry-After\`.
- The other columns are the answer to a well-formed request about a thing that exists, by who asks: **anonymous**; a
  **stranger**, who is signed in and has nothing to do with the thing; a **member**, in a relation with the agent or in the
  conversation; the **owner** of the thing; the agent **itself**; **another agent**; someone whose token or session was **revoked**; an
  operator (**admin**) who is none of the others.
`;

const CALLERS = ['anonymous', 'stranger', 'member', 'owner', 'self', 'other_agent', 'revoked', 'admin'];
const TITLES = ['Anonymous', 'Stranger', 'Member', 'Owner', 'Itself', 'Another agent', 'Revoked', 'Admin'];

/** The page `docs/routes.md`. @param {typeof import('@parley/protocol')} protocol @returns {string} */
export function renderRoutes({ ROUTES }) {
  const tags = [...new Set(ROUTES.map(({ tag }) => tag))];
  const sections = tags.map((tag) => {
    const rows = ROUTES.filter((route) => route.tag === tag).map(row);
    const head = ['Route', 'Body', 'A minute', ...TITLES];
    const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
    return `## ${tag.charAt(0).toUpperCase()}${tag.slice(1)}\n\n${table.join('\n')}\n`;
  });
  return [HEAD, ...sections].join('\n');
}

function row({ method, path, event, limit, access }) {
  return [
    `\`${method} ${path}\`${event === undefined ? '' : ' *Lines*'}`,
    limit.body,
    `${limit.perMinute} by ${limit.by}`,
    ...CALLERS.map((caller) => access[caller]),
  ];
}
