/** For the tests of packages above this one: databases of both kinds in temporary folders. */
export { openTestDatabase } from './open-test-database.ts';
export {
  copyTestDatabase,
  openTestEmbedded,
  openTestPostgres,
  slowMs,
  type TestDatabase,
  testedDatabases,
} from './database/test-databases.ts';
export { postgresPrograms, type PrivatePostgres, startPrivatePostgres } from './database/test-postgres.ts';
export { productMigrations } from './database/test-template.ts';
