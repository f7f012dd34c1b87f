import { randomBytes, randomUUID } from 'node:crypto';
import { ask } from '../client.mjs';

const AT_ONCE = 1_000;
/** One in so many has the right password. */
const RIGHT = 10;

const addressOf = (number) => `192.0.${Math.floor(number / 250) % 250}.${(number % 250) + 1}`;

export const LOGIN_ATTACKS = [
  {
    name: 'logins',
    item: 5,
    title: `${AT_ONCE} sign-ins at a time, each from an address and with an e-mail of its own, one in ${RIGHT} right`,
    prepare: async ({ call }) => {
      const account = { email: `${randomUUID()}@example.test`, account_password: randomBytes(12).toString('hex') };
      await call('POST', '/auth/register', { body: { ...account, display_name: 'Mallory' } });
      return account;
    },
    run: async ({ url, isOver, count }, account) => {
      let number = 0;
      const signIn = async () => {
        while (!isOver()) {
          const address = addressOf(++number);
          const body = number % RIGHT === 0 ? account : { ...account, email: `${randomUUID()}@example.test` };
          count(await ask(url, 'POST', '/auth/login', { address, body }));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, signIn));
    },
  },
];
