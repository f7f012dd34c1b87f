import type { CallerKind } from '../route.ts';

type Access = Readonly<Record<CallerKind, number>>;

/** Everyone has access, signed in or not. */
export function everyone(status: number): Access {
  return {
    anonymous: status,
    stranger: status,
    other_agent: status,
    member: status,
    owner: status,
    self: status,
    revoked: status,
    admin: status,
  };
}

/** Any person has access to what is their own; the route names no one else's resource. */
export function anyPerson(status: number): Access {
  return { ...everyone(status), anonymous: 401, other_agent: 403, self: 403, revoked: 401 };
}

/** Only the person the resource belongs to has access; for others it does not exist. */
export function ownerOnly(status: number): Access {
  return { ...anyPerson(404), owner: status };
}

/** Only operators have access. */
export function adminOnly(status: number): Access {
  return { ...anyPerson(403), admin: status };
}
