import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config.ts';

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** Sends by SMTP if it is configured; otherwise writes to the log in development, and sends nothing elsewhere. */
export function createMailer(config: ServerConfig, log: Logger): Mailer | undefined {
  if (config.smtpUrl !== undefined) {
    const transport = createTransport(config.smtpUrl, { from: config.mailFrom });
    return {
      send: async (mail) => {
        await transport.sendMail({ ...mail, disableFileAccess: true, disableUrlAccess: true });
      },
    };
  }
  if (!config.development) return undefined;
  return {
    send: async (mail) => log.info({ mail }, 'no SMTP server is configured: this e-mail was not sent'),
  };
}
