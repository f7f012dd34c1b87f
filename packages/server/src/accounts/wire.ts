import type { LoginSession } from '../auth/session.ts';
import type { Certificate } from './certificate.ts';
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

export function publicDeviceToWire(row: DeviceRow) {
  return {
    device_id: row.id,
    identity_key: row.identity_key,
    exchange_key: row.exchange_key,
    certificate: row.certificate as Certificate | null,
    status: row.certificate === null ? ('pending' as const) : ('certified' as const),
  };
}

export function deviceToWire(row: DeviceRow, currentId: string | undefined) {
  return {
    ...publicDeviceToWire(row),
    name: row.name,
    current: row.id === currentId,
    created_at: row.created_at.toISOString(),
  };
}

interface PasskeyRow {
  readonly credential_id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly used_at: Date | null;
}

export function passkeyToWire(row: PasskeyRow) {
  return {
    passkey_id: row.credential_id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    used_at: row.used_at?.toISOString() ?? null,
  };
}
