import { expect, it } from 'vitest';
import { findMissingPrograms } from './missing-programs.ts';

it('WC-20 on Linux it is known what to install, for the kind of desktop that there is', () => {
  const on = (environment: Record<string, string>) => ({
    environment: { PATH: '', ...environment },
    platform: 'linux',
  });
  expect(findMissingPrograms('read_clipboard', on({ DISPLAY: ':0' }))).toEqual(['xclip', 'xsel']);
  expect(findMissingPrograms('read_clipboard', on({ WAYLAND_DISPLAY: 'wayland-0' }))).toEqual(['wl-clipboard']);
  // Without a desktop there is no clipboard, whatever is installed.
  expect(findMissingPrograms('read_clipboard', on({}))).toEqual([]);
  expect(findMissingPrograms('send_notification', on({}))).toEqual(['libnotify (libnotify-bin)']);
  expect(findMissingPrograms('read_location', on({}))).toEqual([]);
  expect(findMissingPrograms('send_notification', { environment: {}, platform: 'darwin' })).toEqual([]);
});
