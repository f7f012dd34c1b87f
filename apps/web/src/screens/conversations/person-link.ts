const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const LINK = new RegExp(`^(?:https?://[^/?#\\s]+/app/people/)?(${ID.source})$`);

/** The account of a link, or of its bare id. */
export function readPersonLink(text: string): string | undefined {
  return LINK.exec(text.trim())?.[1];
}

export function makePersonLink(accountId: string): string {
  return `${location.origin}/app/people/${accountId}`;
}
