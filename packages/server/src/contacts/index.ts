import { isId } from '@parley/base';
import { type BodyOf, readContactCode, contactRoutes as routes } from '@parley/protocol';
import { requireHuman } from '../http/caller.ts';
import { takePage } from '../http/page.ts';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { block, listBlocked, listUnblocked, unblock } from './blocks.ts';
import { type ContactCode, readCode, replaceCode } from './code.ts';
import { listContacts } from './list.ts';
import { accept, ask, decline, listIncoming, listOutgoing, type Named } from './requests.ts';
import { toBlocked, toContact, toIncoming, toOutgoing } from './wire.ts';

const PAGE = 100;

/** First contact between people (AC-4), who is blocked (AC-6), and contact codes (AC-7). */
export function registerContacts(router: Router, platform: Platform): void {
  const { db, now } = platform;

  router.add(routes.readContactCode, async ({ caller }) =>
    toCode(await readCode(db, requireHuman(caller).accountId, now())),
  );
  router.add(routes.replaceContactCode, async ({ caller }) => {
    const { accountId } = requireHuman(caller);
    const code = await replaceCode(db, accountId, now());
    await platform.events.send([{ kind: 'human', id: accountId }], 'contact.changed', {}, accountId);
    return toCode(code);
  });
  router.add(routes.listContacts, async ({ caller, query }) => {
    const limit = Number(query.limit ?? PAGE);
    const found = await listContacts(db, requireHuman(caller).accountId, {
      after: query.cursor === undefined ? undefined : readCursor(query.cursor),
      limit: limit + 1,
    });
    const { rows, last } = takePage(found, limit);
    return { contacts: rows.map(toContact), next_cursor: last ? writeCursor(last.display_name, last.user_id) : null };
  });
  router.add(routes.askContact, async ({ caller, body }) => {
    const { requestId, contact } = await ask(platform, requireHuman(caller).accountId, toNamed(body));
    return { request_id: requestId, contact: contact === undefined ? null : toContact(contact) };
  });
  router.add(routes.listContactRequests, async ({ caller }) => {
    const { accountId } = requireHuman(caller);
    const [incoming, outgoing] = [
      await listIncoming(db, accountId, now()),
      await listOutgoing(db, accountId, now()),
    ] as const;
    return { incoming: incoming.map(toIncoming), outgoing: outgoing.map(toOutgoing) };
  });
  router.add(routes.acceptContact, async ({ caller, params }) =>
    toContact(await accept(platform, requireHuman(caller).accountId, params.request_id)),
  );
  router.add(routes.declineContact, async ({ caller, params }) => {
    await decline(platform, requireHuman(caller).accountId, params.request_id);
    return null;
  });
  router.add(routes.listBlocked, async ({ caller }) => {
    const { accountId } = requireHuman(caller);
    const blocked = await listBlocked(db, accountId);
    return { blocked: blocked.map(toBlocked), unblocked: await listUnblocked(db, accountId) };
  });
  router.add(routes.blockAccount, async ({ caller, body }) =>
    toBlocked(await block(platform, requireHuman(caller).accountId, body.user_id)),
  );
  router.add(routes.unblockAccount, async ({ caller, params }) => {
    await unblock(platform, requireHuman(caller).accountId, params.user_id);
    return null;
  });
}

const toCode = ({ code, created_at }: ContactCode) => ({ code, created_at: created_at.toISOString() });

function toNamed({ code, agent_id, user_id }: BodyOf<typeof routes.askContact>): Named {
  if (agent_id !== undefined) return { kind: 'agent', value: agent_id };
  if (user_id !== undefined) return { kind: 'account', value: user_id };
  const letters = readContactCode(code ?? '');
  if (letters === undefined) throw new RequestError('BAD_REQUEST');
  return { kind: 'code', value: letters };
}

function writeCursor(name: string, id: string): string {
  return Buffer.from(JSON.stringify([name, id])).toString('base64url');
}

function readCursor(cursor: string): readonly [string, string] {
  try {
    const [name, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    if (typeof name === 'string' && typeof id === 'string' && isId(id)) return [name, id];
  } catch {
    // Not one of ours.
  }
  throw new RequestError('BAD_REQUEST');
}
