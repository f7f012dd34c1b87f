import { isId } from '@parley/base';

const LINK = /^(?:https?:\/\/[^/?#\s]+\/app\/people\/)?([^/?#\s]+)$/;

/** The account of a link, or of its bare id. */
export function readPersonLink(text: string): string | undefined {
  const id = LINK.exec(text.trim())?.[1] ?? '';
  return isId(id) ? id : undefined;
}

export function makePersonLink(accountId: string): string {
  return `${location.origin}/app/people/${accountId}`;
}
