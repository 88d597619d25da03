import type { Attack } from '../attacker.ts';

const rows = 30;
const letters = 99_000;
const concurrency = 30;
const aliases = 400;

const long = 'select=id,gene_symbol';
const manyTimes = `select=${Array.from({ length: aliases }, (_, i) => `c${i}:gene_symbol`).join()}`;
const deep = `select=deep:filter_config->${Array.from({ length: 200 }, () => 'a').join('->')}`;
const conditions = `or=(${Array.from({ length: 300 }, (_, i) => `gene_symbol.neq.x${i}`).join()})`;
const nested = `select=${'user_files('.repeat(40)}id${')'.repeat(40)}`;

export const reads: Attack = {
  name: 'reads',
  title: `${concurrency} concurrent reads of ${rows} rows with columns of ${letters} letters, one column ${aliases} times, deep paths`,
  async prepare(attacker) {
    for (let row = 0; row < rows; row += 1) {
      await attacker.send('POST', '/rest/v1/subset_metadata', {
        body: {
          user_id: attacker.data.userId,
          subset_name: 'reads',
          // Cannot be compressed well.
          gene_symbol: Array.from({ length: letters / 11 }, (_, i) => `GENE${(i * 7919) % 1_000_003},`)
            .join('')
            .slice(0, letters),
          filter_config: nest(100),
        },
      });
    }
  },
  run: (attacker, signal) =>
    attacker.inParallel(concurrency, signal, (lane, round) => {
      const [table, query] =
        lane === 0
          ? (['subset_metadata', manyTimes] as const)
          : lane === 1
            ? (
                [
                  ['subset_metadata', deep],
                  ['subset_metadata', conditions],
                  ['user_files', nested],
                ] as const
              )[round % 3]!
            : (['subset_metadata', long] as const);
      return attacker.send('GET', `/rest/v1/${table}?${query}`, { signal });
    }),
};

function nest(depth: number): object {
  let inner: object = { a: 1 };
  for (let i = 1; i < depth; i += 1) inner = { a: inner };
  return inner;
}
