import { expect, test } from 'vitest';
import * as platform from './index.ts';

test('the package exports exactly what others build on', () => {
  expect(Object.keys(platform).sort()).toMatchInlineSnapshot(`
    [
      "AccountError",
      "AuthError",
      "DatabaseLayerError",
      "DatabaseLockedError",
      "DatabaseVersionError",
      "EngineError",
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
      "openDatabase",
      "platformPlugin",
      "provisionKeys",
      "setPlan",
      "subscriptionAt",
      "subscriptionOf",
    ]
  `);
});
