import { accounts } from './authorisation/accounts.ts';
import type { Entries } from './authorisation/entries.ts';
import { files } from './authorisation/files.ts';
import { functions } from './authorisation/functions.ts';
import { rows } from './authorisation/rows.ts';
import { server } from './authorisation/server.ts';
import type { MatrixEntry } from './authorisation-matrix.ts';

/** Every route of the server but the twins of GET by HEAD, and how it answers whom. */
export const matrix: ReadonlyMap<string, MatrixEntry> = new Map(
  Object.entries<MatrixEntry>({ ...server, ...accounts, ...rows, ...files, ...functions } satisfies Entries),
);
