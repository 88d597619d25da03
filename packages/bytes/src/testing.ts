import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export { defaultRetryPolicy } from './s3/retries.ts';
export { type S3Server, startS3Server } from './testing/s3-server.ts';
export { type S3Call, type S3StandIn, startS3StandIn } from './testing/s3-stand-in.ts';

export async function temporaryRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'cellfolio-store-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}
