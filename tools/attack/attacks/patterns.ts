import type { Attack } from '../attacker.ts';

const rows = 20;
const letters = 901;
const concurrency = 60;

/** Conditions on `gene_symbol` that may take PostgreSQL minutes. */
const conditions = [
  String.raw`match.^(a+)(a+)(a+)\1\2\3$`,
  'match.^(a|a)*(a|a)*(a|a)*b$',
  `match.(a|b)*a${'(a|b)'.repeat(16)}$`,
  `imatch.^(${'.*a'.repeat(24)})b$`,
  `like.${'*a'.repeat(400)}*b`,
  `ilike.${'*a_'.repeat(300)}*B*`,
];

export const patterns: Attack = {
  name: 'patterns',
  title: `${concurrency} concurrent searches for slow patterns in ${rows} own rows of ${letters} letters`,
  async prepare(attacker) {
    const row = {
      user_id: attacker.data.userId,
      subset_name: 'patterns',
      gene_symbol: 'a'.repeat(letters),
    };
    await attacker.send('POST', '/rest/v1/subset_metadata', {
      body: Array.from({ length: rows }, () => row),
    });
  },
  run: (attacker, signal) =>
    attacker.inParallel(concurrency, signal, (lane, round) => {
      const condition = conditions[(lane + round) % conditions.length]!;
      const query = new URLSearchParams({ select: 'id', gene_symbol: condition }).toString();
      return attacker.send('GET', `/rest/v1/subset_metadata?${query}`, { signal });
    }),
};
