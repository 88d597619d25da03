import type { Database } from './database/database.ts';

/** For tests: the same database, and how many statements and transactions were asked of it. */
export function countingQueries(database: Database): { database: Database; queries(): number } {
  let count = 0;
  const pool = new Proxy(database.pool, {
    get: (target, name) => {
      if (name === 'query') count += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const counted: Database = {
    kind: database.kind,
    pool,
    transaction: (work) => {
      count += 1;
      return database.transaction(work);
    },
    as: (caller, work, options) => {
      count += 1;
      return database.as(caller, work, options);
    },
    giveBack: () => database.giveBack(),
    close: () => database.close(),
  };
  return { database: counted, queries: () => count };
}
