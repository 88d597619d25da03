import { expect, test } from 'vitest';
import { databases } from './databases.ts';
import { killRounds } from './kill-rounds.ts';

/** Each ends at a random time during the writes. */
const rounds = 4;

test.concurrent.each(databases.map(({ name }) => name))(
  `a server on the %s database that is killed ${rounds} times while it writes has lost nothing that it acknowledged`,
  async (kind) => {
    const report = await killRounds(kind, rounds);
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
