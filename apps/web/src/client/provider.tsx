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

/** Of someone who is signed in: everything inside the frame may use it. */
export function useDevice(): Device {
  return useContext(DeviceContext)!;
}

export function useReadable<T>({ subscribe, getSnapshot }: Readable<T>): T {
  return useSyncExternalStore(subscribe, getSnapshot);
}

/** The same, at most once for each picture on the screen: for what may come in storms. */
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
