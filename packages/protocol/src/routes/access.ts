import type { CallerKind } from '../route.ts';

type Access = Readonly<Record<CallerKind, number>>;

/** Anyone, signed in or not. */
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

/** Any person, for what is their own: there is no other's thing to name. */
export function anyPerson(status: number): Access {
  return { ...everyone(status), anonymous: 401, other_agent: 403, self: 403, revoked: 401 };
}

/** The person the thing belongs to; for other people it does not exist. */
export function ownerOnly(status: number): Access {
  return { ...anyPerson(404), owner: status };
}

/** Operators. */
export function adminOnly(status: number): Access {
  return { ...anyPerson(403), admin: status };
}
