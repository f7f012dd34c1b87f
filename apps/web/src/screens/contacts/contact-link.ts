import { readContactCode } from '@parley/protocol';

const LINK = /^(?:https?:\/\/[^/?#\s]+\/app\/contact\/)?([^/?#]+)$/;

/** Reads the contact code from a link or as someone typed it. */
export function readContactLink(text: string): string | undefined {
  return readContactCode(LINK.exec(text.trim())?.[1] ?? '');
}

export function makeContactLink(code: string): string {
  return `${location.origin}/app/contact/${code}`;
}
