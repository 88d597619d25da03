import type { Database } from '@cellfolio/platform';

/** What a transaction of the database is done with. */
export type Client = Parameters<Parameters<Database['transaction']>[0]>[0];
