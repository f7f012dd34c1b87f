import { randomUUID } from 'node:crypto';
import { notifyLastDevice } from '../conversations/decline-call.ts';
import { keyOf } from '../events/bus.ts';
import { createRequestBatcher } from '../http/request-batcher.ts';
import type { Platform } from '../platform.ts';
import {
  deleteDeadNodes,
  deleteDevices,
  deleteNode,
  insertDevices,
  type PresentDevice,
  recordHeartbeat,
} from './store.ts';

const HEARTBEAT_MS = 20_000;
const BATCH = 500;

/** Knows which devices have a socket open, on any node. The devices of a node that dies are gone within 90 seconds. */
export interface Presence {
  /** The id of this node. */
  readonly node: string;
  /** `listener` gets the texts that are published for this device. */
  enter(device: PresentDevice, listener: (text: string) => void): SocketPresence;
  close(): Promise<void>;
}

/** One socket of a device that is present. */
export interface SocketPresence {
  readonly deviceId: string;
  /** Resolves when all nodes can see it. */
  readonly stored: Promise<void>;
  leave(): void;
}

interface LocalDevice extends PresentDevice {
  sockets: number;
  readonly stored: Promise<void>;
}

export async function createPresence(platform: Platform): Promise<Presence> {
  const { db, bus, log } = platform;
  const node = randomUUID();
  const local = new Map<string, LocalDevice>();
  /** Devices whose change could not be stored. */
  const unsaved = new Map<string, PresentDevice>();

  const save = async (devices: readonly PresentDevice[]): Promise<readonly true[]> => {
    const changed = new Map(devices.map((device) => [device.deviceId, device]));
    const gone = [...changed.values()].filter(({ deviceId }) => !local.has(deviceId));
    try {
      await insertDevices(
        db,
        node,
        [...changed.values()].filter(({ deviceId }) => local.has(deviceId)),
      );
      await deleteDevices(
        db,
        node,
        gone.map(({ deviceId }) => deviceId),
      );
      await notifyLastDevice(
        platform,
        gone.map(({ accountId }) => accountId),
      );
    } catch (error) {
      log.warn({ err: error }, 'presence: a change could not be stored, trying again');
      for (const [id, device] of changed) unsaved.set(id, device);
    }
    return devices.map(() => true);
  };
  const saves = createRequestBatcher(save, BATCH);
  const store = async (device: PresentDevice): Promise<void> => {
    await saves.add(device).catch(() => unsaved.set(device.deviceId, device));
  };
  const add = (device: PresentDevice): LocalDevice => {
    const added = { ...device, sockets: 0, stored: store(device) };
    local.set(device.deviceId, added);
    return added;
  };

  const beat = async (): Promise<void> => {
    const again = (await recordHeartbeat(db, node, platform.now())) ? [...local.values()] : [...unsaved.values()];
    unsaved.clear();
    await Promise.all(again.map(store));
    await notifyLastDevice(platform, await deleteDeadNodes(db));
  };
  await recordHeartbeat(db, node, platform.now());
  let beating: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    beating = beat().catch((error: unknown) => log.warn({ err: error }, 'presence: no heartbeat, trying again'));
  }, HEARTBEAT_MS);
  timer.unref();

  return {
    node,
    enter: (device, listener) => {
      const { deviceId } = device;
      const entered = local.get(deviceId) ?? add(device);
      entered.sockets++;
      const unsubscribe = bus.subscribe(keyOf.device(deviceId), listener);
      const leave = () => {
        unsubscribe();
        if (--entered.sockets > 0) return;
        local.delete(deviceId);
        void store(device);
      };
      return { deviceId, stored: entered.stored, leave };
    },
    close: async () => {
      clearInterval(timer);
      await beating;
      await saves.idle();
      await deleteNode(db, node).catch((error: unknown) => log.warn({ err: error }, 'presence: not signed off'));
    },
  };
}
