import { join } from 'node:path';
import { type S3StandIn, startS3StandIn, temporaryRoot } from '@cellfolio/bytes/testing';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { S3StoreLocation } from '../open-store.ts';

export function s3ForTests(): {
  server: S3StandIn;
  location(cacheBytes?: number): Promise<S3StoreLocation>;
} {
  let server: S3StandIn | undefined;
  beforeAll(async () => {
    server = await startS3StandIn();
  });
  afterEach(() => {
    if (!server) return;
    server.objects.clear();
    server.unfinished.clear();
    server.calls.length = 0;
    server.sent = 0;
    server.fault = () => undefined;
    server.conditions = 'kept';
  });
  afterAll(() => server?.close());
  return {
    get server() {
      if (!server) throw new Error('the server has not been started yet');
      return server;
    },
    async location(cacheBytes = 0) {
      const root = await temporaryRoot();
      return {
        kind: 's3',
        ...this.server.location,
        cacheFolder: join(root, 'cache'),
        cacheBytes,
        stagingFolder: join(root, 'staging'),
      };
    },
  };
}
