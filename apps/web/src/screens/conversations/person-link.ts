import { isId } from '@parley/base';

const LINK = /^(?:https?:\/\/[^/?#\s]+\/app\/people\/)?([^/?#\s]+)$/;

/** Reads the account id from a link or a bare id. */
export function readPersonLink(text: string): string | undefined {
  const id = LINK.exec(text.trim())?.[1] ?? '';
  return isId(id) ? id : undefined;
}

export function makePersonLink(accountId: string): string {
  return `${location.origin}/app/people/${accountId}`;
}
