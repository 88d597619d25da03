import { randomUUID } from 'node:crypto';
import type { Attack } from '../attacker.ts';

const atOnce = 40;

/** Wrong passwords, sign-ups and mailed codes, as fast as they are answered, from one address. */
export const signIns: Attack = {
  name: 'sign-ins',
  title: `${atOnce} sign-ins with wrong passwords, sign-ups and codes at once from one address`,
  run: (attacker, signal) =>
    attacker.inParallel(atOnce, signal, (place, round) => {
      const stranger = `${randomUUID()}@example.org`;
      // Of accounts that are there and such that are not.
      const email = round % 2 ? attacker.data.email : stranger;
      const [path, body] =
        place % 4 === 0
          ? (['signup', { email: stranger, password: randomUUID() }] as const)
          : place % 4 === 1
            ? (['otp', { email: stranger, create_user: false }] as const)
            : (['token?grant_type=password', { email, password: randomUUID() }] as const);
      return attacker.send('POST', `/auth/v1/${path}`, { as: 'visitor', body, signal });
    }),
};
