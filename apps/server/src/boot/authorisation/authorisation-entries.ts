import { accounts } from './accounts.ts';
import type { Entries } from './entries.ts';
import { files } from './files.ts';
import { functions } from './functions.ts';
import { rows } from './rows.ts';
import { server } from './server.ts';
import type { MatrixEntry } from './authorisation-matrix.ts';

/** Every route of the server but the twins of GET by HEAD, and how it answers whom. */
export const matrix: ReadonlyMap<string, MatrixEntry> = new Map(
  Object.entries<MatrixEntry>({ ...server, ...accounts, ...rows, ...files, ...functions } satisfies Entries),
);
