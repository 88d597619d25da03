import { expect, test } from 'vitest';
import * as platform from './index.ts';

test('the package exports exactly what others build on', () => {
  expect(Object.keys(platform).sort()).toMatchInlineSnapshot(`
    [
      "AccountError",
      "AuthError",
      "BlobNotFound",
      "BlobStoreFailed",
      "BlobStoreUrlError",
      "DatabaseLayerError",
      "DatabaseLockedError",
      "DatabaseVersionError",
      "EngineError",
      "FileBlobStore",
      "GatewayError",
      "MigrationError",
      "NestedTransactionError",
      "SigningKeys",
      "TransactionAbortedError",
      "TransactionEndedError",
      "createCallerResolver",
      "createTokenVerifier",
      "createUser",
      "issuerOf",
      "listUsers",
      "migrate",
      "openBlobStore",
      "openDatabase",
      "openStoredObject",
      "orphanedBlobs",
      "platformPlugin",
      "provisionKeys",
      "setPlan",
      "subscriptionAt",
      "subscriptionOf",
      "sweepStorage",
    ]
  `);
});
