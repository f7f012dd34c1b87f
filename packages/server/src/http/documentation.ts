import { findPackage } from '@parley/base/node';
import { documentationRoutes, ROUTES } from '@parley/protocol';
import { DOCS_STYLE, renderDocs } from './docs-page.ts';
import { describeApi } from './openapi.ts';
import type { Router } from './router.ts';

const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function registerDocumentation(router: Router): void {
  const { version } = findPackage(import.meta.url);
  const api = describeApi(ROUTES, version);
  const page = renderDocs(api);

  router.add(documentationRoutes.getOpenApi, async () => ({ ...api }));
  router.add(documentationRoutes.getDocs, async ({ setHeader }) => {
    setHeader('content-type', 'text/html; charset=utf-8');
    setHeader('content-security-policy', POLICY);
    setHeader('referrer-policy', 'no-referrer');
    return page;
  });
  router.add(documentationRoutes.getDocsStyle, async ({ setHeader }) => {
    setHeader('content-type', 'text/css; charset=utf-8');
    return DOCS_STYLE;
  });
}
