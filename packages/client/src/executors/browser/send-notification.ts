import { readNotification, SHOWN } from '../notification.ts';
import { type Executor, ExecutorError } from '../types.ts';

export function sendNotificationExecutor(): Executor | undefined {
  if (!('Notification' in globalThis)) return undefined;
  return {
    tool: 'send_notification',
    scope: 'notification:send',
    sensitivity: 'low',
    run: async (args) => {
      const { title, body } = readNotification(args);
      // The browser allows the question only after a click of the person, not during an agent's call.
      if (Notification.permission !== 'granted') {
        throw new ExecutorError('This browser has not been allowed to show notifications.', {
          code: 'TOOL_UNAVAILABLE',
        });
      }
      new Notification(title, { body });
      return SHOWN;
    },
  };
}
