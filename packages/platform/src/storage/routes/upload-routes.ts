import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readUpload } from '../read-upload.ts';
import { targetOf } from '../request-target.ts';
import { planUpload } from '../services/plan-upload.ts';
import { type Uploaded, uploadObject } from '../services/upload-object.ts';
import { callerOf } from '../storage-caller.ts';
import type { StorageContext } from '../storage-context.ts';
import { untouchedBytes } from '../untouched-bytes.ts';

/** POST and PUT `/object/{bucket}/{name}`: a file, raw or in a form. */
export function uploadRoutes(app: FastifyInstance, context: StorageContext): void {
  const upload = async (request: FastifyRequest, upsert: boolean): Promise<Uploaded> => {
    const caller = await callerOf(context, request.headers);
    const plan = await planUpload(context, { caller, upsert, ...targetOf(request) });
    return uploadObject(context, plan, await readUpload(request));
  };
  app.route({
    ...untouchedBytes,
    method: 'POST',
    url: '/object/:bucket/*',
    handler: (request) => upload(request, request.headers['x-upsert'] === 'true'),
  });
  app.route({
    ...untouchedBytes,
    method: 'PUT',
    url: '/object/:bucket/*',
    handler: (request) => upload(request, true),
  });
}
