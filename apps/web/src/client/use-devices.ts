import type { DeviceView } from '@parley/client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDevice, useReadable } from './provider.tsx';

/** Changes whenever another device is in the list, or another one keeps the account key. */
const versionOf = (list: readonly DeviceView[]) =>
  list.map(({ deviceId, listed, keeper }) => `${deviceId} ${listed} ${keeper}`).join();

/** Whether this device keeps the account key (EE-17); undefined as long as that is not known. */
export function useIsKeeper(): boolean | undefined {
  const { accountId, devices } = useDevice();
  const version = versionOf(useReadable(devices));
  const { data } = useQuery({
    queryKey: ['is-keeper', accountId, version],
    queryFn: () => devices.isKeeper(),
    placeholderData: keepPreviousData,
  });
  return data;
}

/** The recovery secret, as long as the person has not confirmed to have it elsewhere. */
export function useRecoverySecret() {
  const { accountId, deviceId, devices } = useDevice();
  const queries = useQueryClient();
  // An account of the version before gets its secret together with the list.
  const version = versionOf(useReadable(devices));
  const key = ['recovery-secret', accountId, deviceId];
  const { data } = useQuery({
    queryKey: [...key, version],
    queryFn: async () => (await devices.recoverySecret()) ?? null,
    placeholderData: keepPreviousData,
    networkMode: 'always',
    gcTime: 0,
  });
  return {
    /** Null where there is none; undefined as long as that is not known. */
    secret: data,
    async confirmSaved() {
      await devices.confirmRecoverySaved();
      await queries.invalidateQueries({ queryKey: key });
    },
  };
}
