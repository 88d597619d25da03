import { randomUUID } from 'node:crypto';
import type { Attack } from '../attacker.ts';

const messages = 780;

export const growth: Attack = {
  name: 'growth',
  title: `arrays of ${messages} messages by a visitor, endless rows, images of 3 MiB and sessions`,
  async run(attacker, signal) {
    const { userId, email, publishableKey } = attacker.data;
    const message = { name: 'x', email: 'x@example.org', message: 'y'.repeat(20_000) };
    const contact = JSON.stringify(Array.from({ length: messages }, () => message));
    const image = `data:image/png;base64,${'A'.repeat(3 * 2 ** 20)}`;
    const json = { 'content-type': 'application/json' };
    const subset = {
      user_id: userId,
      subset_name: 'growth',
      gene_symbol: 'G,'.repeat(5000),
      filter_config: { note: 'x'.repeat(100_000) },
    };
    const kinds: ((round: number) => Promise<unknown>)[] = [
      // The limit is thirty per network in five minutes.
      (round) =>
        attacker.send('POST', '/rest/v1/contact_submissions', {
          as: 'visitor',
          body: contact,
          headers: json,
          from: `127.0.0.${66 + (round % 4)}`,
          signal,
        }),
      () =>
        attacker.send('POST', '/rest/v1/subset_metadata', {
          body: Array.from({ length: 20 }, () => subset),
          signal,
        }),
      () =>
        attacker.send('POST', '/rest/v1/generated_images', {
          body: {
            user_id: userId,
            image_id: randomUUID(),
            title: 'growth',
            image_type: 'gene',
            image_data: image,
          },
          signal,
        }),
      (round) =>
        attacker.send('POST', '/auth/v1/token?grant_type=password', {
          as: 'visitor',
          body: { email, password: 'correct horse battery' },
          headers: { apikey: publishableKey },
          from: `127.0.0.${70 + (round % 4)}`,
          signal,
        }),
    ];
    await attacker.inParallel(2 * kinds.length, signal, (lane, round) => kinds[lane % kinds.length]!(round));
  },
};
