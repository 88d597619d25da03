import { randomUUID } from 'node:crypto';
import type { Attack } from '../attacker.ts';

const concurrency = 40;

export const signIns: Attack = {
  name: 'sign-ins',
  title: `${concurrency} concurrent sign-ins with wrong passwords, sign-ups and codes from one address`,
  run: (attacker, signal) =>
    attacker.inParallel(concurrency, signal, (lane, round) => {
      const stranger = `${randomUUID()}@example.org`;
      // Existing and unknown accounts.
      const email = round % 2 ? attacker.data.email : stranger;
      const [path, body] =
        lane % 4 === 0
          ? (['signup', { email: stranger, password: randomUUID() }] as const)
          : lane % 4 === 1
            ? (['otp', { email: stranger, create_user: false }] as const)
            : (['token?grant_type=password', { email, password: randomUUID() }] as const);
      return attacker.send('POST', `/auth/v1/${path}`, { as: 'visitor', body, signal });
    }),
};
