import { isId } from '@parley/base';
import { clientError } from '../errors.ts';

/** A link or QR code to an agent. With the fingerprint of its key, first contact needs no trust in the server (EE-9). */
export interface AgentLink {
  readonly agentId: string;
  readonly fingerprint?: string | undefined;
}

/** A fingerprint is 32 bytes as base64url. */
const FINGERPRINT = /^[A-Za-z0-9_-]{43}$/;

/**
 * Makes a web link if there is a base URL, otherwise `parley://agent/…`. The fingerprint is after the #, which no
 * server sees.
 */
export function formatAgentLink({ agentId, fingerprint }: AgentLink, baseUrl?: string): string {
  const start = baseUrl === undefined ? 'parley://agent/' : `${baseUrl.replace(/\/+$/, '')}/agent/`;
  return `${start}${agentId}${fingerprint === undefined ? '' : `#${fingerprint}`}`;
}

/** Refuses a link whose fingerprint is malformed: otherwise nobody would notice that it was cut off. */
export function parseAgentLink(text: string): AgentLink {
  const match = /^(?:parley:\/\/agent|https?:\/\/[^/?#\s]+(?:\/[^?#\s]*)?\/agents?)\/([^/?#\s]+)\/?(?:#(.*))?$/.exec(
    text.trim(),
  );
  const [, agentId, fingerprint] = match ?? [];
  if (agentId === undefined || !isId(agentId)) throw clientError('LINK_INVALID');
  if (fingerprint === undefined) return { agentId };
  if (!FINGERPRINT.test(fingerprint)) throw clientError('LINK_INVALID');
  return { agentId, fingerprint };
}
