import { expect, test } from 'vitest';
import { databases } from './databases.ts';
import { killRounds } from './kill-rounds.ts';

/** Rounds per database; each ends at a random time during the writes. Only the server is killed, not PostgreSQL. */
const roundsOn = { embedded: 4, PostgreSQL: 2 };

test.concurrent.each(databases.map(({ name }) => ({ name, rounds: roundsOn[name] })))(
  'a server on the $name database that is killed $rounds times while it writes has lost nothing that it acknowledged',
  async ({ name, rounds }) => {
    const report = await killRounds(name, rounds);
    expect(report.lost).toEqual([]);
    expect(report.files).toBeGreaterThanOrEqual(3 * rounds);
    expect(report.rows).toBeGreaterThanOrEqual(3 * rounds);
    expect(report.refreshes).toBeGreaterThan(0);
    const { objects, files } = report.leftovers;
    expect(report.leftovers).toEqual({ orphans: 0, uploads: 0, dead: 0, files, objects: files });
    expect(objects).toBeGreaterThanOrEqual(report.files);
  },
  480_000,
);
