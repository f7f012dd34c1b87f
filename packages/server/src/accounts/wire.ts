import type { deviceRoutes, ReplyOf } from '@parley/protocol';
import type { LoginSession } from '../auth/session.ts';
import type { DeviceRow } from './device-store.ts';

export function tokensToWire(session: LoginSession) {
  return {
    user_id: session.accountId,
    access_token: session.accessToken,
    expires_in_seconds: session.expiresInSeconds,
  };
}

interface SessionRow {
  readonly id: string;
  readonly device_id: string | null;
  readonly user_agent: string | null;
  readonly created_at: Date;
  readonly used_at: Date;
  readonly expires_at: Date;
}

export function sessionToWire(row: SessionRow, currentId: string) {
  return {
    session_id: row.id,
    current: row.id === currentId,
    device_id: row.device_id,
    client: row.user_agent,
    created_at: row.created_at.toISOString(),
    used_at: row.used_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

type WireDevice = ReplyOf<typeof deviceRoutes.addDevice>;

/** Certificates are for accounts that have no list yet (EE-14); each was checked when it was stored. */
export function publicDeviceToWire(row: DeviceRow, { hasList }: { readonly hasList: boolean }) {
  return {
    device_id: row.id,
    identity_key: row.identity_key,
    exchange_key: row.exchange_key,
    certificate: hasList ? null : (row.certificate as WireDevice['certificate']),
  };
}

interface DeviceContext {
  readonly hasList: boolean;
  readonly currentId: string | undefined;
  /** For the current device. */
  readonly welcome: string | undefined;
}

export function deviceToWire(row: DeviceRow, { hasList, currentId, welcome }: DeviceContext): WireDevice {
  const current = row.id === currentId;
  return {
    ...publicDeviceToWire(row, { hasList }),
    name: row.name,
    current,
    listed: row.listed,
    created_at: row.created_at.toISOString(),
    pairing: row.pairing,
    ...(current && welcome !== undefined ? { welcome } : {}),
  };
}

interface PasskeyRow {
  readonly credential_id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly used_at: Date | null;
}

/** `currentId` is the passkey that the caller's session began with. */
export function passkeyToWire(row: PasskeyRow, currentId: string | undefined) {
  return {
    passkey_id: row.credential_id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    used_at: row.used_at?.toISOString() ?? null,
    current: row.credential_id === currentId,
  };
}
