import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a small file that only its owner can read: all of it or nothing, whatever ends meanwhile. Once this returns, it
 * outlives a crash of the machine.
 */
export function writeWhole(file: string, text: string): void {
  place(file, text, renameSync);
}

/** The same, but fails with EEXIST if there is such a file. */
export function createWhole(file: string, text: string): void {
  place(file, text, linkSync);
}

function place(file: string, text: string, install: (draft: string, file: string) => void): void {
  // Not by the number of the process: in a container the next one has the same.
  const draft = `${file}.${randomUUID()}`;
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    install(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(file));
}

/** Otherwise a crash could undo the rename. Windows cannot do it, and need not. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
