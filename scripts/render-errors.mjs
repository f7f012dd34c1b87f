const HEAD = `# Error codes

<!-- Generated from packages/protocol by \`npm run generate\`. Do not edit. -->

Every error on the wire is \`{ error: { code, message, i18n_key, params, request_id } }\` (TR-7). Branch on \`code\`, never on
\`message\`. \`i18n_key\` is \`error.\` and the code in lower case. A 5xx never carries internals: its \`params\` are empty.
Skills answer their callers with the envelope of SI-4, and the same codes.

- **HTTP**: the status it is sent with; where two are given, the first is the default.
- **Retry**: may the same request succeed if it is sent again later, unchanged? For skills, SI-3 says when and how often.
- \`TOOL_*\` codes have no status on the relay, where they travel inside sealed messages (TC-5); the one given here is for
  bridges that answer a tool call over plain HTTP.

## Codes
`;

const REASONS = `
## Reasons of tool calls

They stand in \`reason\` of a sealed tool response, beside \`status\` (TC-4, TC-5). Those in lower case are no error codes and have no HTTP status.
`;

/** The page `docs/errors.md`. @param {typeof import('@parley/protocol')} protocol @returns {string} */
export function renderErrors({ ERRORS, DENIED_REASONS, ERROR_REASONS }) {
  const codes = Object.entries(ERRORS).map(([code, { http, retry, text }]) => [
    `\`${code}\``,
    http.join(', '),
    retry ? 'yes' : 'no',
    ...words(text),
  ]);
  const reasons = [
    ...Object.entries(DENIED_REASONS).map(([reason, text]) => ['`denied`', `\`${reason}\``, ...words(text)]),
    ...Object.entries(ERROR_REASONS).map(([reason, text]) => ['`error`', `\`${reason}\``, ...words(text)]),
  ];
  return [
    HEAD,
    ...table(['Code', 'HTTP', 'Retry', 'English', '中文'], codes),
    REASONS,
    ...table(['Status', 'Reason', 'English', '中文'], reasons),
    '',
  ].join('\n');
}

const words = (text) => [text.en, text['zh-CN']];

const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
