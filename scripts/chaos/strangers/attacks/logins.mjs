import { randomBytes, randomUUID } from 'node:crypto';
import { ask } from '../client.mjs';

const LOGINS = 6_000;
const AT_ONCE = 200;

const addressOf = (number) => `192.0.${Math.floor(number / 250) % 250}.${(number % 250) + 1}`;

export const LOGIN_ATTACKS = [
  {
    name: 'logins',
    item: 5,
    title: `${LOGINS} logins from as many addresses`,
    prepare: async ({ call }) => {
      const account = { email: `${randomUUID()}@example.test`, account_password: randomBytes(12).toString('hex') };
      await call('POST', '/auth/register', { body: { ...account, display_name: 'Mallory' } });
      return account;
    },
    run: async ({ url, isOver, count }, account) => {
      let number = 0;
      const signIn = async () => {
        while (!isOver() && number < LOGINS) {
          const address = addressOf(++number);
          count(await ask(url, 'POST', '/auth/login', { address, body: account }));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, signIn));
    },
  },
];
