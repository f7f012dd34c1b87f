import { i18n } from '../i18n/index.ts';

type Explain = (error: unknown) => string | undefined;

/** Given by whoever loads the client: the sentences come with it, and the first page does without both. */
let explainClient: Explain = () => undefined;

export function setExplainer(explainer: Explain): void {
  explainClient = explainer;
}

/** What went wrong, for a person. */
export function explain(error: unknown): string {
  return explainClient(error) ?? i18n.t('parts:failed');
}
