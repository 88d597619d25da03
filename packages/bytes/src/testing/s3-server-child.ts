import { rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface S3Server {
  configureBuckets(): Promise<unknown>;
  callback(): RequestListener;
}
const load = createRequire(import.meta.url);
const S3rver = load('@20minutes/s3rver') as new (options: Record<string, unknown>) => S3Server;

const [, , directory = '', bucket = 'cells'] = process.argv;
const s3 = new S3rver({
  directory,
  silent: true,
  vhostBuckets: false,
  // The server omits the slash that the SDK signs after the bucket name, so listings would be rejected.
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: bucket, configs: [] }],
});
await s3.configureBuckets();
const answer = s3.callback();

let paused = false;
const server = createServer((request, response) => {
  if (paused) return request.socket.destroy();
  const uploadId = new URL(request.url ?? '', 'http://s3').searchParams.get('uploadId');
  if (request.method !== 'DELETE' || uploadId === null) return answer(request, response);
  // The server lacks AbortMultipartUpload.
  const parts = join(directory, bucket, '._S3rver_uploads', uploadId.replaceAll(/\W/g, ''));
  void rm(parts, { recursive: true, force: true }).then(() => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
process.on('message', (order) => {
  paused = order === 'pause';
  process.send?.({ done: order });
});
process.on('disconnect', () => process.exit());
