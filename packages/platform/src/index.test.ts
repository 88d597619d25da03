import { expect, test } from 'vitest';
import * as platform from './index.ts';

test('the package exports exactly what others build on', () => {
  expect(Object.keys(platform).sort()).toMatchInlineSnapshot(`
    [
      "AccountError",
      "ApiKeyError",
      "AuthError",
      "BlobNotFound",
      "BlobStoreFailed",
      "BlobStoreUrlError",
      "DatabaseLayerError",
      "DatabaseLockedError",
      "DatabaseVersionError",
      "EngineError",
      "FileBlobStore",
      "FileMailer",
      "GatewayError",
      "MigrationError",
      "NestedTransactionError",
      "SigningKeys",
      "SmtpMailer",
      "TransactionAbortedError",
      "TransactionEndedError",
      "callerOfApiKey",
      "createApiKey",
      "createCallerResolver",
      "createTokenVerifier",
      "createUser",
      "issuerOf",
      "listApiKeys",
      "listUsers",
      "looksLikeApiKey",
      "migrate",
      "openBlobStore",
      "openDatabase",
      "openStoredObject",
      "orphanedBlobs",
      "platformPlugin",
      "provisionKeys",
      "revokeApiKey",
      "setPlan",
      "subscriptionOf",
      "sweepStorage",
    ]
  `);
});
