import type pg from 'pg';
import type { ServerConfig } from '../config.ts';
import { withClient } from '../storage/client.ts';
import { openSecret, openWithAny, sealSecret } from './secret.ts';

type Secrets = Pick<ServerConfig, 'storageSecret' | 'acceptedStorageSecrets'>;

const PAGE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Row {
  readonly agent_id: string;
  readonly secret: string;
  readonly previous_secret: string | null;
}

/**
 * Seals every webhook secret with the current storage secret, so that the one before is not needed any more (OP-16).
 * Those that change meanwhile are left alone: whoever changed them has sealed them. Returns how many were sealed anew.
 */
export function resealWebhookSecrets(databaseUrl: string, secrets: Secrets, signal?: AbortSignal): Promise<number> {
  return withClient(databaseUrl, (client) => resealAll(client, secrets), { signal });
}

async function resealAll(client: pg.Client, secrets: Secrets): Promise<number> {
  let count = 0;
  for (let last = FIRST; ; ) {
    const { rows } = await client.query<Row>(
      'select agent_id, secret, previous_secret from webhooks where agent_id > $1 order by agent_id limit $2',
      [last, PAGE],
    );
    for (const row of rows) count += await resealRow(client, secrets, row);
    if (rows.length < PAGE) return count;
    last = rows.at(-1)!.agent_id;
  }
}

async function resealRow(client: pg.Client, secrets: Secrets, row: Row): Promise<number> {
  const { agent_id: agentId, secret, previous_secret: previous } = row;
  const next = reseal(secrets, agentId, secret);
  const nextPrevious = previous === null ? null : reseal(secrets, agentId, previous);
  if (next === secret && nextPrevious === previous) return 0;
  const { rowCount } = await client.query(
    `update webhooks set secret = $1, previous_secret = $2
     where agent_id = $3 and secret = $4 and previous_secret is not distinct from $5`,
    [next, nextPrevious, agentId, secret, previous],
  );
  return rowCount ?? 0;
}

/** Returns it as it is if the current secret opens it, or none does. */
function reseal(secrets: Secrets, agentId: string, sealed: string): string {
  try {
    openSecret(secrets.storageSecret, agentId, sealed);
    return sealed;
  } catch {
    const text = openWithAny(secrets, agentId, sealed);
    return text === undefined ? sealed : sealSecret(secrets.storageSecret, agentId, text);
  }
}
