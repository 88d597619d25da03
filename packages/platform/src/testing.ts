/** For the tests of packages above this one: databases of both kinds in temporary folders. */
export { copyTestDatabase, openTestDatabase } from './open-test-database.ts';
export {
  openTestPostgres,
  postgresPrograms,
  slowMs,
  type TestDatabase,
  testedDatabases,
} from './database/test-databases.ts';
