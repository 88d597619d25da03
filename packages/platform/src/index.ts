export { bearerToken, isSameKey } from './credentials.ts';
export { AccountError } from './auth/create-user.ts';
export { createUser } from './auth/create-user.ts';
export { createOwnerCheck, type OwnerCheck } from './auth/confirm-owner.ts';
export { removeUser } from './auth/manage-users.ts';
export { secondStepPending } from './auth/sessions.ts';
export { AuthError, type AuthErrorCode } from './auth/auth-error.ts';
export { FileMailer } from './auth/mail/mailers.ts';
export { SmtpMailer } from './auth/mail/mailers.ts';
export type { Mail, Mailer } from './auth/mail/mailer.ts';
export { type LimiterFactory, sharedLimiters } from './auth/rate-limits.ts';
export type { SmsSender } from './auth/mail/mailer.ts';
export {
  type AccessTokenClaims,
  createTokenVerifier,
  type TokenVerifier,
} from './auth/tokens/access-token.ts';
export { SigningKeys } from './auth/tokens/signing-keys.ts';
export type { Caller, Database, DatabaseLog } from './database/database.ts';
export { isDatabaseAway, isDatabaseUnavailable } from './database/errors.ts';
export { diskFullRetrySeconds, diskFullMessage, isDiskFull } from './database/errors.ts';
export { dumpDatabase, dumpHeader, requireEmptyDatabase, restoreDatabase } from './database/dump.ts';
export {
  DatabaseLockedError,
  DatabaseVersionError,
  EngineError,
  MigrationError,
  NestedTransactionError,
  RestoreError,
  TransactionAbortedError,
  TransactionEndedError,
} from './database/errors.ts';
export { lastMigration, migrate } from './database/migrate.ts';
export { openDatabase } from './database/open-database.ts';
export {
  Admission,
  type AdmissionLimits,
  type AdmissionOptions,
  NotAdmitted,
  RecentUsers,
  tooManyOfUser,
} from './gateway/admission.ts';
export { network } from './gateway/admission.ts';
export { createServiceAdmissions, takeTurns, type ServiceAdmissions } from './gateway/service-admissions.ts';
export { GatewayError } from './gateway/key-tokens.ts';
export {
  type CallerResolver,
  createCallerResolver,
  type Credentials,
  type ResolvedCaller,
} from './auth/resolve-caller.ts';
export { issuerOf, type PlatformOptions, platformPlugin } from './platform-plugin.ts';
export type { RestSettings, RestSettingsInput } from './rest/rest-request.ts';
export type { IdentityProviderSettings } from './settings/platform-settings.ts';
export { platformSettings } from './settings/platform-settings.ts';
export type { PlatformSettings, PlatformSettingsInput } from './settings/platform-settings.ts';
export { type ProjectKeys, provisionKeys, replaceKey, replaceSecrets } from './settings/project-keys.ts';
export { blobKeyOf, blobPrefix } from './storage/objects.ts';
export type { StorageOptions } from './storage/storage-context.ts';
export { requestedRange } from './storage/download.ts';
export { openStoredObject } from './storage/objects.ts';
export { signDownload } from './storage/download-tokens.ts';
export { storeFile, type StoreFileContext } from './storage/upload-object.ts';
export { orphanedBlobs, sweepStorage } from './storage/sweep-storage.ts';
export { StorageError } from './storage/storage-error.ts';
export type { BucketRules, StorageSettingsInput } from './storage/storage-context.ts';
export { bytesOf } from './functions/function-error.ts';
export { type SignedInUser } from './functions/functions-plugin.ts';
export { FunctionError } from './functions/function-error.ts';
export type { FunctionsContext, MountFunctions } from './functions/functions-plugin.ts';
export { userOf, visitorOf } from './functions/functions-plugin.ts';
export { normaliseEmail } from './auth/addresses.ts';
export { escapeHtml } from './auth/mail/account-mails.ts';
export { maxIdentities } from './auth/identities.ts';
export { maxSessions } from './auth/sessions.ts';
