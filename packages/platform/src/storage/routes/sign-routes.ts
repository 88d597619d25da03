import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseStorageInput, targetOf } from '../request-target.ts';
import { visibleObject } from '../services/stored-object.ts';
import { visibleNames } from '../services/visible-names.ts';
import { callerOf } from '../storage-caller.ts';
import type { StorageContext } from '../storage-context.ts';

/** POST `/object/sign/{bucket}[/{name}]`: addresses that show a file to whoever has them, for a time. */
export function signRoutes(app: FastifyInstance, context: StorageContext): void {
  const expiresIn = z.int().min(1).max(context.settings.maxSignedSeconds);
  const one = z.object({ expiresIn });
  const many = z.object({ expiresIn, paths: z.array(z.string().max(1024)).min(1).max(1000) });
  const sign = async (bucketId: string, name: string, seconds: number): Promise<string> => {
    const url = `${bucketId}/${name}`;
    const token = await context.tokens.sign({ scope: 'download', url }, seconds);
    // As it is: the client encodes the whole address once more.
    return `/object/sign/${url}?token=${token}`;
  };

  app.post('/object/sign/:bucket/*', async (request) => {
    const caller = await callerOf(context, request.headers);
    const target = targetOf(request);
    const { expiresIn } = parseStorageInput(one, request.body);
    await visibleObject(context.database, caller, target);
    return { signedURL: await sign(target.bucketId, target.name, expiresIn) };
  });

  app.post<{ Params: { bucket: string } }>('/object/sign/:bucket', async (request) => {
    const caller = await callerOf(context, request.headers);
    const { expiresIn, paths } = parseStorageInput(many, request.body);
    const { bucket } = request.params;
    const visible = await visibleNames(context.database, caller, bucket, paths);
    return Promise.all(
      paths.map(async (path) =>
        visible.has(path)
          ? { path, signedURL: await sign(bucket, path, expiresIn), error: null }
          : {
              path,
              signedURL: null,
              error: 'Either the object does not exist or you do not have access to it',
            },
      ),
    );
  });
}
