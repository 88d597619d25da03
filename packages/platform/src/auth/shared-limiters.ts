import type { Pool } from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { LimiterFactory } from './rate-limits.ts';

/** Counters in the database, so that all processes of an installation count together. */
export function sharedLimiters(pool: Pool): LimiterFactory {
  let first = true;
  return (options) => {
    // One sweep of the table is enough for all.
    const clearExpiredByTimeout = first;
    first = false;
    return new RateLimiterPostgres({
      ...options,
      storeClient: pool,
      storeType: 'pool',
      schemaName: 'auth',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout,
    });
  };
}
