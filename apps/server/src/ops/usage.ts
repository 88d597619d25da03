import { roundFileSize } from '@cellfolio/contract';
import { listUsage, type TableUse, type Usage, userQuotaBytes } from '@cellfolio/platform';
import type { Settings } from '../boot/settings/read-settings.ts';
import { alignColumns, printable } from './table.ts';
import type { Terminal } from './terminal.ts';
import { withDatabase } from './with-database.ts';

/** The columns of the table; keys and identities are few and small, and only in the JSON. */
const shown = ['files', 'images', 'subsets', 'links', 'jobs', 'tabs', 'sessions'] as const;

/** Prints what each user has stored, in files and rows, against the limits. */
export async function printUsage(settings: Settings, terminal: Terminal): Promise<void> {
  const usage = await withDatabase(settings, (database) =>
    listUsage(database, { quotaBytes: userQuotaBytes() }),
  );
  terminal.result(usage, () => {
    const { users, totals, limits, messages } = usage;
    const all = users.reduce((sum, { bytes }) => sum + bytes, 0);
    const line = (use: Usage['totals'], bytes: number, who: string): string[] =>
      shown.map((kind) => cell(use[kind])).concat(roundFileSize(bytes), printable(who));
    const rows = users.map(({ id, email, bytes, use }) => line(use, bytes, email || id));
    const limit = (kind: (typeof shown)[number]): string => {
      const { rows: most, bytes } = limits[kind];
      return `${most?.toLocaleString('en') ?? '-'}${bytes === null ? '' : `, ${roundFileSize(bytes)}`}`;
    };
    return [
      alignColumns([
        [...shown.map((kind) => kind.toUpperCase()), 'IN ALL', 'USER'],
        ...rows,
        line(totals, all, 'all of them'),
        [...shown.map(limit), '', 'the most that one user may have'],
      ]),
      `Messages of the contact page: ${cell(messages)}.`,
    ].join('\n');
  });
}

function cell({ rows, bytes }: TableUse): string {
  return rows === 0 ? '0' : `${rows.toLocaleString('en')}, ${roundFileSize(bytes)}`;
}
