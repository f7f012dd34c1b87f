import { randomUUID } from 'node:crypto';
import { tellLast } from '../conversations/pass.ts';
import { keyOf } from '../events/bus.ts';
import { createRequestBatcher } from '../http/request-batcher.ts';
import type { Platform } from '../platform.ts';
import { beatNode, deleteDeadNodes, deleteDevices, deleteNode, insertDevices, type PresentDevice } from './store.ts';

const BEAT_MS = 20_000;
const BATCH = 500;

/** Which devices have a socket open, on any node. A node that dies takes its devices with it within 90 seconds. */
export interface Presence {
  readonly node: string;
  enter(device: PresentDevice, heard: (text: string) => void): Place;
  close(): Promise<void>;
}

export interface Place {
  readonly deviceId: string;
  /** Resolves when all nodes can see it. */
  readonly seen: Promise<void>;
  leave(): void;
}

interface Here extends PresentDevice {
  sockets: number;
  readonly seen: Promise<void>;
}

export async function createPresence(platform: Platform): Promise<Presence> {
  const { db, bus, log } = platform;
  const node = randomUUID();
  const here = new Map<string, Here>();
  /** Those that the database could not be told of. */
  const unsaved = new Map<string, PresentDevice>();

  const save = async (devices: readonly PresentDevice[]): Promise<readonly true[]> => {
    const changed = new Map(devices.map((device) => [device.deviceId, device]));
    const gone = [...changed.values()].filter(({ deviceId }) => !here.has(deviceId));
    try {
      await insertDevices(
        db,
        node,
        [...changed.values()].filter(({ deviceId }) => here.has(deviceId)),
      );
      await deleteDevices(
        db,
        node,
        gone.map(({ deviceId }) => deviceId),
      );
      await tellLast(
        platform,
        gone.map(({ accountId }) => accountId),
      );
    } catch (error) {
      log.warn({ err: error }, 'presence: it could not be noted, trying again');
      for (const [id, device] of changed) unsaved.set(id, device);
    }
    return devices.map(() => true);
  };
  const saves = createRequestBatcher(save, BATCH);
  const note = async (device: PresentDevice): Promise<void> => {
    await saves.add(device).catch(() => unsaved.set(device.deviceId, device));
  };
  const arrive = (device: PresentDevice): Here => {
    const place = { ...device, sockets: 0, seen: note(device) };
    here.set(device.deviceId, place);
    return place;
  };

  const beat = async (): Promise<void> => {
    const again = (await beatNode(db, node)) ? [...here.values()] : [...unsaved.values()];
    unsaved.clear();
    await Promise.all(again.map(note));
    await tellLast(platform, await deleteDeadNodes(db));
  };
  await beatNode(db, node);
  let beating: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    beating = beat().catch((error: unknown) => log.warn({ err: error }, 'presence: no heartbeat, trying again'));
  }, BEAT_MS);
  timer.unref();

  return {
    node,
    enter: (device, heard) => {
      const { deviceId } = device;
      const place = here.get(deviceId) ?? arrive(device);
      place.sockets++;
      const stop = bus.subscribe(keyOf.device(deviceId), heard);
      const leave = () => {
        stop();
        if (--place.sockets > 0) return;
        here.delete(deviceId);
        void note(device);
      };
      return { deviceId, seen: place.seen, leave };
    },
    close: async () => {
      clearInterval(timer);
      await beating;
      await saves.idle();
      await deleteNode(db, node).catch((error: unknown) => log.warn({ err: error }, 'presence: not signed off'));
    },
  };
}
