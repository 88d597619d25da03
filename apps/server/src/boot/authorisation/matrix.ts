import { accounts } from './accounts.ts';
import { files } from './files.ts';
import type { Entries, MatrixEntry } from './matrix-entry.ts';
import { functions, rows, server } from './server.ts';

/** Every route of the server, except HEAD of a GET, and its response to each caller. */
export const matrix: ReadonlyMap<string, MatrixEntry> = new Map(
  Object.entries<MatrixEntry>({ ...server, ...accounts, ...rows, ...files, ...functions } satisfies Entries),
);
