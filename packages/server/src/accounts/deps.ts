import type { Mailer } from '../mail/mailer.ts';
import type { Platform } from '../platform.ts';
import type { Passwords } from './password.ts';

export interface AccountDeps extends Platform {
  readonly passwords: Passwords;
  /** Undefined where there is no way to send e-mail. */
  readonly mailer: Mailer | undefined;
}
