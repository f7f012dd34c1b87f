import type { ApiDescription, Operation } from './openapi.ts';

/** Renders one page without scripts: it works under the strictest policy, and is short while everything is folded. */
export function renderDocs(api: ApiDescription): string {
  const { title, version, description } = api.info as Record<string, string>;
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = api.tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `<section id="${slug(name)}"><h2>${escapeHtml(name)}</h2>\n${own.map(renderOperation).join('\n')}\n</section>`;
  });
  const links = api.tags.map(({ name }) => `<a href="#${slug(name)}">${escapeHtml(name)}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} API</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header><h1>${escapeHtml(title)} API <small>${escapeHtml(version)}</small></h1>
<p>${escapeHtml(description)}</p>
<p><a href="/openapi.json">openapi.json</a></p>
<nav aria-label="Sections">${links.join(' ')}</nav></header>
<main>
${sections.join('\n')}
</main>
</body>
</html>
`;
}

interface Shown {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function renderOperation({ path, method, operation }: Shown): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const limit = operation['x-limit'];
  const parts = [
    `<p>${renderAccess(operation)} At most ${limit.requests_per_minute} a minute by ${escapeHtml(limit.by)}, ${limit.body_bytes} bytes.</p>`,
    parameters.length === 0
      ? ''
      : `<h4>Parameters</h4><table><tr><th>Name<th>In<th>Schema</tr>${parameters
          .map((parameter) => {
            const name = `${escapeHtml(parameter.name)}${parameter.required ? '' : ' <i>optional</i>'}`;
            return `<tr><td>${name}<td>${parameter.in}<td><code>${escapeHtml(compact(parameter.schema))}</code></tr>`;
          })
          .join('')}</table>`,
    requestBody === undefined
      ? ''
      : `<h4>Body${requestBody.required ? '' : ' (optional)'}</h4>${renderContent(requestBody)}`,
    '<h4>Replies</h4>',
    ...Object.entries(responses).map(([status, response]) => {
      const isError = Number(status) >= 400;
      return `<p><b>${escapeHtml(status)}</b> ${escapeHtml(response.description)}</p>${isError ? '' : renderContent(response)}`;
    }),
  ];
  return `<details id="${escapeHtml(operationId)}"><summary><code class="${method}">${method.toUpperCase()}</code> <code>${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>
${parts.join('\n')}
</details>`;
}

function renderAccess({ 'x-access': access }: Operation): string {
  const allowed = Object.entries(access).filter(([, status]) => status < 400);
  return `For: ${escapeHtml(allowed.map(([caller]) => caller).join(', '))}.`;
}

function renderContent({
  content = {},
}: {
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>;
}): string {
  return Object.values(content)
    .map(({ schema }) => `<pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`)
    .join('');
}

const compact = (schema: unknown) => JSON.stringify(schema).replaceAll(',"', ', "');
const slug = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string | undefined): string {
  return (text ?? '').replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

export const DOCS_STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
nav a { margin-right: 0.75rem; }
details { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 6px; margin: 0.4rem 0; padding: 0.4rem 0.8rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary code:first-child { display: inline-block; min-width: 4.5rem; font-weight: 600; }
pre, td code { overflow-wrap: anywhere; white-space: pre-wrap; font-size: 0.85rem; }
pre { max-height: 30rem; overflow: auto; padding: 0.6rem; background: color-mix(in srgb, currentColor 7%, transparent); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.6rem 0.2rem 0; }
a:focus-visible, summary:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
`;
