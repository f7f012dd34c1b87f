import { createObservable } from '@parley/base';
import { useEffect } from 'react';
import { useReadable } from './provider.tsx';

const read = () => globalThis.Notification?.permission;
const permission = createObservable<NotificationPermission | undefined>(read());

/** Asks the browser, which asks the person: only in answer to a click on a button that said what for (WC-45). */
export async function askForNotifications(): Promise<NotificationPermission> {
  const answer = await Notification.requestPermission();
  permission.set(answer);
  return answer;
}

/** Undefined in a browser without notifications. What is changed in the browser's settings counts on return. */
export function useNotificationPermission(): NotificationPermission | undefined {
  useEffect(() => {
    const refresh = () => permission.set(read());
    refresh();
    window.addEventListener('focus', refresh);
    return () => window.removeEventListener('focus', refresh);
  }, []);
  return useReadable(permission);
}
