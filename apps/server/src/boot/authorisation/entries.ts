import type { MatrixEntry } from './authorisation-matrix.ts';

/** Requests by method and pattern of their route. */
export type Entries = Readonly<Record<string, MatrixEntry>>;

/** The id of nobody and nothing. */
export const nobody = '00000000-0000-4000-8000-000000000000';
