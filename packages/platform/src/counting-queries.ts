import type { PoolClient } from 'pg';
import type { Database } from './database/database.ts';

export interface CountedQueries {
  database: Database;
  /** Number of statements and transactions; a transaction counts as one, whatever it contains. */
  queries(): number;
  statements(): readonly string[];
}

export function countingQueries(database: Database): CountedQueries {
  let count = 0;
  const texts: string[] = [];
  const noting = <T extends Pick<PoolClient, 'query'>>(queryable: T, note: (text: string) => void): T =>
    new Proxy(queryable, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          if (name === 'query') note(String(args[0]));
          return Reflect.apply(value, target, args);
        };
      },
    });
  const counted: Database = {
    kind: database.kind,
    pool: noting(database.pool, (text) => {
      count += 1;
      texts.push(text);
    }),
    transaction: (work) => {
      count += 1;
      return database.transaction((client) => work(noting(client, (text) => texts.push(text))));
    },
    as: (caller, work, options) => {
      count += 1;
      return database.as(caller, work, options);
    },
    giveBack: () => database.giveBack(),
    close: () => database.close(),
  };
  return { database: counted, queries: () => count, statements: () => [...texts] };
}
