import type { DeviceStatement } from '@parley/protocol';

/** When the device was put into the list, by the statement that did it. */
export function findListing(statements: readonly DeviceStatement[], deviceId: string): string | undefined {
  return statements.find((statement) => namesOf(statement).includes(deviceId))?.created_at;
}

function namesOf(statement: DeviceStatement): readonly string[] {
  if (statement.action === 'add') return [statement.device.device_id];
  if (statement.action !== 'create' && statement.action !== 'recover') return [];
  return statement.devices.map(({ device_id }) => device_id);
}
