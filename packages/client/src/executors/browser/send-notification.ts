import { describeNotification } from '../describe.ts';
import { readNotification, SHOWN } from '../notification.ts';
import { type Executor, ExecutorError } from '../types.ts';

export function sendNotificationExecutor(): Executor | undefined {
  if (!('Notification' in globalThis)) return undefined;
  return {
    tool: 'send_notification',
    scope: 'notification:send',
    sensitivity: 'low',
    describe: ({ title }, locale) => describeNotification(locale, String(title)),
    run: async (args) => {
      const { title, body } = readNotification(args);
      // The browser allows the question only after a click of the person, not during an agent's call.
      if (Notification.permission !== 'granted') {
        throw new ExecutorError('This browser has not been allowed to show notifications.', {
          code: 'TOOL_UNAVAILABLE',
        });
      }
      await show(title, body);
      return SHOWN;
    },
  };
}

async function show(title: string, body: string): Promise<void> {
  try {
    new Notification(title, { body });
  } catch (cause) {
    // On phones only the service worker may show notifications.
    const registration = await navigator.serviceWorker?.getRegistration();
    if (registration === undefined) throw new ExecutorError('This browser shows no notifications here.', { cause });
    await registration.showNotification(title, { body });
  }
}
