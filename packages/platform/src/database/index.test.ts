import { expect, test } from 'vitest';
import * as database from './index.ts';

test('the database layer exports exactly this', () => {
  expect(Object.keys(database).sort()).toEqual([
    'DatabaseLayerError',
    'DatabaseLockedError',
    'DatabaseVersionError',
    'EngineError',
    'MigrationError',
    'NestedTransactionError',
    'RestoreError',
    'TransactionAbortedError',
    'TransactionEndedError',
    'diskFullRetrySeconds',
    'diskFullWords',
    'dumpDatabase',
    'isDatabaseAway',
    'isDiskFull',
    'migrate',
    'openDatabase',
    'requireEmptyDatabase',
    'restoreDatabase',
  ]);
});
