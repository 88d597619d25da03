import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseStorageInput, targetOf, callerOf, userIdOf, untouchedBytes } from './storage-request.ts';
import { visibleObject } from './objects.ts';
import type { StorageContext } from './storage-context.ts';
import type { Caller, Database } from '../database/database.ts';
import { readUpload } from './upload-routes.ts';
import type { TokenClaims } from './download-tokens.ts';
import { planUpload } from './plan-upload.ts';
import { uploadObject } from './upload-object.ts';
import { StorageError } from './storage-error.ts';

/** POST `/object/sign/{bucket}[/{name}]`: time-limited addresses that show a file to anyone who has them. */
export function signRoutes(app: FastifyInstance, context: StorageContext): void {
  const expiresIn = z.int().min(1).max(context.settings.maxSignedSeconds);
  const one = z.object({ expiresIn });
  const many = z.object({ expiresIn, paths: z.array(z.string().max(1024)).min(1).max(1000) });
  const sign = async (bucketId: string, name: string, seconds: number): Promise<string> => {
    const url = `${bucketId}/${name}`;
    const token = await context.tokens.sign({ scope: 'download', url }, seconds);
    // Unencoded: the client encodes the whole address again.
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

async function visibleNames(
  database: Database,
  caller: Caller,
  bucketId: string,
  names: readonly string[],
): Promise<Set<string>> {
  // PostgreSQL text cannot contain NUL.
  const legal = names.filter((name) => !name.includes('\0') && name.isWellFormed());
  const { rows } = await database.as(
    caller,
    (client) =>
      client.query<{ name: string }>(
        'select name from storage.objects where bucket_id = $1 and name = any($2::text[])',
        [bucketId, legal],
      ),
    { readOnly: true },
  );
  return new Set(rows.map(({ name }) => name));
}

const signedUploadSeconds = 2 * 3600;

const query = z.object({ token: z.string().optional() });

/** POST `/object/upload/sign/{bucket}/{name}`: an address that lets anyone who has it upload the file. */
export function signUploadRoute(app: FastifyInstance, context: StorageContext): void {
  app.route({
    method: 'POST',
    url: '/object/upload/sign/:bucket/*',
    handler: async (request) => {
      const caller = await callerOf(context, request.headers);
      const target = targetOf(request);
      const upsert = request.headers['x-upsert'] === 'true';
      await planUpload(context, { caller, upsert, ...target });
      const url = `${target.bucketId}/${target.name}`;
      const token = await context.tokens.sign(
        { scope: 'upload', url, upsert, caller: namedCaller(caller) },
        signedUploadSeconds,
      );
      return { url: `/object/upload/sign/${encodePath(url)}?token=${token}`, token };
    },
  });
}

/** PUT to such an address. Needs no key; the right to store is checked again, in the name of the signer. */
export function signedUploadRoute(app: FastifyInstance, context: StorageContext): void {
  app.route({
    ...untouchedBytes,
    method: 'PUT',
    url: '/object/upload/sign/:bucket/*',
    handler: async (request) => {
      const target = targetOf(request);
      const { token } = parseStorageInput(query, request.query);
      const claims = await context.tokens.verify(token, 'upload', `${target.bucketId}/${target.name}`);
      const plan = await planUpload(context, {
        ...target,
        caller: callerInToken(claims),
        upsert: claims.upsert ?? false,
      });
      return uploadObject(context, plan, await readUpload(request));
    },
  });
}

/** Id, role and level alone: the holder of the address can read its token. */
function namedCaller(caller: Caller): NonNullable<TokenClaims['caller']> {
  const sub = userIdOf(caller);
  const aal = caller.claims?.['aal'];
  return { role: caller.role, claims: { role: caller.role, ...(sub !== null && { sub, aal }) } };
}

/** Signer of an upload address. Throws StorageError `InvalidJWT`. */
export function callerInToken({ caller }: TokenClaims): Caller {
  const role = caller?.role;
  if (!caller || (role !== 'anon' && role !== 'authenticated' && role !== 'service_role')) {
    throw new StorageError('InvalidJWT', 'The token of the address has no subject.');
  }
  return { role, ...(caller.claims && { claims: caller.claims }) };
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
