import { expect, test } from 'vitest';
import * as bytes from './index.ts';

test('the public names of the package are these', () => {
  expect(Object.keys(bytes).sort()).toMatchInlineSnapshot(`
    [
      "BlobTooLarge",
      "ByteCache",
      "CachedObjectStore",
      "FileBlobStore",
      "FileObjectStore",
      "InvalidObjectKey",
      "ObjectNotFound",
      "ObjectStoreFailed",
      "SharedWork",
      "StoreUrlError",
      "StoreWriteFailed",
      "connectionCodes",
      "eachLimited",
      "fileFault",
      "foreignAge",
      "isRunning",
      "isStoreUnavailable",
      "makeFolder",
      "newMark",
      "openBlobStore",
      "openS3ObjectStore",
      "ownIdentity",
      "ownerState",
      "parseS3Url",
      "removeBlocks",
      "syncFile",
      "syncFolder",
      "syncTree",
    ]
  `);
});
