import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseStorageInput, targetOf } from '../request-target.ts';
import { serveObject } from '../serve-object.ts';
import { bucketRow, noSuchBucket } from '../services/buckets.ts';
import { visibleObject } from '../services/stored-object.ts';
import { callerOf } from '../storage-caller.ts';
import type { StorageContext } from '../storage-context.ts';
import { untouchedBytes } from '../untouched-bytes.ts';

const query = z.object({ token: z.string().optional() });
/** An address with a token, or of a public bucket, is its own permission. */
const bearer = { role: 'service_role' } as const;

/** GET and HEAD of the bytes: in one's own name, by a signed address, of a public bucket. */
export function downloadRoutes(app: FastifyInstance, context: StorageContext): void {
  const { database } = context;
  for (const url of ['/object/:bucket/*', '/object/authenticated/:bucket/*']) {
    app.route({
      ...untouchedBytes,
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const caller = await callerOf(context, request.headers);
        const target = targetOf(request);
        await bucketRow(database, target.bucketId);
        return serveObject(context, request, reply, () => visibleObject(database, caller, target));
      },
    });
  }
  app.route({
    ...untouchedBytes,
    method: ['GET', 'HEAD'],
    url: '/object/sign/:bucket/*',
    handler: async (request, reply) => {
      const target = targetOf(request);
      const { token } = parseStorageInput(query, request.query);
      await context.tokens.verify(token, 'download', `${target.bucketId}/${target.name}`);
      return serveObject(context, request, reply, () => visibleObject(database, bearer, target));
    },
  });
  app.route({
    ...untouchedBytes,
    method: ['GET', 'HEAD'],
    url: '/object/public/:bucket/*',
    handler: async (request, reply) => {
      const target = targetOf(request);
      // A private bucket and one that is not there answer alike.
      if (!(await bucketRow(database, target.bucketId)).public) throw noSuchBucket();
      return serveObject(context, request, reply, () => visibleObject(database, bearer, target));
    },
  });
}
