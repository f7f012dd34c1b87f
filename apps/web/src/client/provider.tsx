import type { Readable } from '@parley/base';
import type { Client, Device, LoginSessionState } from '@parley/client';
import { createContext, type ReactNode, useCallback, useContext, useSyncExternalStore } from 'react';

const ClientContext = createContext<Client | undefined>(undefined);
const DeviceContext = createContext<Device | undefined>(undefined);

export function ClientProvider({ client, children }: { readonly client: Client; readonly children: ReactNode }) {
  return <ClientContext value={client}>{children}</ClientContext>;
}

export function DeviceProvider({ device, children }: { readonly device: Device; readonly children: ReactNode }) {
  return <DeviceContext value={device}>{children}</DeviceContext>;
}

export function useClient(): Client {
  return useContext(ClientContext)!;
}

/** Returns the device of the signed-in person. It works only inside the frame. */
export function useDevice(): Device {
  return useContext(DeviceContext)!;
}

export function useReadable<T>({ subscribe, getSnapshot }: Readable<T>): T {
  return useSyncExternalStore(subscribe, getSnapshot);
}

/** Like `useReadable`, but renders at most once per frame, for values that change very often. */
export function useReadableByFrame<T>({ subscribe, getSnapshot }: Readable<T>): T {
  const subscribeByFrame = useCallback(
    (listener: () => void) => {
      let frame = 0;
      const stop = subscribe(() => {
        frame ||= requestAnimationFrame(() => {
          frame = 0;
          listener();
        });
      });
      return () => {
        cancelAnimationFrame(frame);
        stop();
      };
    },
    [subscribe],
  );
  return useSyncExternalStore(subscribeByFrame, getSnapshot);
}

export function useSession(): LoginSessionState {
  return useReadable(useClient().session);
}
