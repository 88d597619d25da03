import { TOTP } from 'otpauth';

/** For the tests of packages above this one: databases of both kinds in temporary folders. */
export { openTestDatabase } from './database/test-databases.ts';
export {
  copyTestDatabase,
  grantProfessional,
  openTestEmbedded,
  openTestPostgres,
  passwordCost,
  slowMs,
  type TestDatabase,
  testedDatabases,
} from './database/test-databases.ts';
export { postgresPrograms, type PrivatePostgres, startPrivatePostgres } from './database/test-postgres.ts';
export { insertPhoneUser } from './auth/sign-up-by-phone.ts';
export { insertAnonymousUser, insertUser } from './auth/user-record.ts';
export { productMigrations } from './database/test-template.ts';
export { refreshTokenKey } from './settings/project-keys.ts';

export function authenticatorCode(secret: string): string {
  return new TOTP({ secret }).generate();
}
