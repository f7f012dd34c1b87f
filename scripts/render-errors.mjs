const HEAD = `# Error codes

<!-- Generated from the tables of all packages by \`npm run generate\`. Do not edit. -->

Every error on the wire is \`{ error: { code, message, i18n_key, params, request_id } }\` (TR-7). Branch on \`code\`, never on
\`message\`. \`i18n_key\` is \`error.\` and the code in lower case. A 5xx never carries internals: its \`params\` are empty.
Skills answer their callers with the envelope of SI-4, and the same codes. Codes that never travel, because they arise where
they are read, are listed by the package that has them, after those of the wire.

- **HTTP**: the status it is sent with; where two are given, the first is the default.
- **Retry**: may the same request succeed if it is sent again later, unchanged? For skills, SI-3 says when and how often.
- \`TOOL_*\` codes have no status on the relay, where they travel inside sealed messages (TC-5); the one given here is for
  bridges that answer a tool call over plain HTTP.

## Codes of the wire
`;

const REASONS = `
## Reasons of tool calls

They stand in \`reason\` of a sealed tool response, beside \`status\` (TC-4, TC-5). Those in lower case are no error codes and have no HTTP status.
`;

/**
 * The page `docs/errors.md`.
 *
 * @param {typeof import('@parley/protocol')} protocol
 * @param {ReadonlyMap<string, import('@parley/base').ErrorTable>} local The tables of the other packages, by name.
 * @returns {string}
 */
export function renderErrors({ ERRORS, DENIED_REASONS, ERROR_REASONS }, local) {
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
    ...[...local].flatMap(([name, entries]) => renderLocal(name, entries)),
    REASONS,
    ...table(['Status', 'Reason', 'English', '中文'], reasons),
    '',
  ].join('\n');
}

function renderLocal(name, entries) {
  const rows = Object.entries(entries).map(([code, { retry, text }]) => [
    `\`${code}\``,
    retry ? 'yes' : 'no',
    ...words(text),
  ]);
  return [`\n## Codes of \`${name}\`\n`, ...table(['Code', 'Retry', 'English', '中文'], rows)];
}

const words = (text) =>
  [text.en, text['zh-CN']].map((sentence) => sentence.replaceAll('|', '\\|').replaceAll('\n', ' '));

const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
