import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseStorageInput, targetOf } from '../request-target.ts';
import { removeObjects } from '../services/remove-objects.ts';
import { noSuchKey } from '../services/stored-object.ts';
import { callerOf } from '../storage-caller.ts';
import type { StorageContext } from '../storage-context.ts';

const body = z.object({ prefixes: z.array(z.string().max(4096)).min(1).max(1000) });

/** DELETE `/object/{bucket}` with full names, and `/object/{bucket}/{name}` for one. */
export function removeRoutes(app: FastifyInstance, context: StorageContext): void {
  app.delete<{ Params: { bucket: string } }>('/object/:bucket', async (request) => {
    const caller = await callerOf(context, request.headers);
    const { prefixes } = parseStorageInput(body, request.body);
    const legal = prefixes.filter((name) => !name.includes('\0') && name.isWellFormed());
    return removeObjects(context, caller, request.params.bucket, legal);
  });
  app.delete('/object/:bucket/*', async (request) => {
    const caller = await callerOf(context, request.headers);
    const { bucketId, name } = targetOf(request);
    const removed = await removeObjects(context, caller, bucketId, [name]);
    if (removed.length === 0) throw noSuchKey();
    return { message: 'Successfully deleted' };
  });
}
