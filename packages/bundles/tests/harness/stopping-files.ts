import type { FileHandle } from 'node:fs/promises';
import { type FileSystem, nodeFiles } from '../../src/files/file-system.ts';

const CHANGING = new Set<string | symbol>(['mkdir', 'rename', 'link', 'unlink', 'rmdir', 'chmod', 'sync', 'writeFile']);

/** Calls `onStep` before every operation that changes something, and lets it see half of a write. */
export function watchFiles(onStep: (name: string, args: readonly unknown[]) => void): FileSystem {
  const wrap = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          if (name === 'writeFile')
            return await writeInTwo(object as unknown as FileHandle, args[0] as Uint8Array, onStep);
          if (CHANGING.has(name) || (name === 'open' && (Number(args[1]) & 0o3) !== 0)) onStep(String(name), args);
          const result: unknown = await Reflect.apply(value, object, args);
          return name === 'open' ? wrap(result as object) : result;
        };
      },
    });
  return wrap({ ...nodeFiles }) as FileSystem;
}

async function writeInTwo(
  handle: FileHandle,
  bytes: Uint8Array,
  onStep: (name: string, args: readonly unknown[]) => void,
): Promise<void> {
  const middle = bytes.length >> 1;
  onStep('write', []);
  await handle.write(bytes.subarray(0, middle));
  onStep('write the rest', []);
  await handle.write(bytes.subarray(middle));
}
