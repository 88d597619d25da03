import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Caller } from '../../database/database.ts';
import { readUpload } from '../read-upload.ts';
import { parseStorageInput, targetOf } from '../request-target.ts';
import type { TokenClaims } from '../services/download-tokens.ts';
import { planUpload } from '../services/plan-upload.ts';
import { uploadObject } from '../services/upload-object.ts';
import { callerOf, userIdOf } from '../storage-caller.ts';
import type { StorageContext } from '../storage-context.ts';
import { StorageError } from '../storage-error.ts';
import { untouchedBytes } from '../untouched-bytes.ts';

/** A signed upload address is good for so long. */
export const signedUploadSeconds = 2 * 3600;

const query = z.object({ token: z.string().optional() });

/** POST `/object/upload/sign/{bucket}/{name}`: an address that may be given to whoever brings the file. */
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

/** PUT to such an address. No key is needed; the right to store is asked again, in the name of whoever signed. */
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

/** Id and role only: the holder of the address can read its token. */
function namedCaller(caller: Caller): NonNullable<TokenClaims['caller']> {
  const sub = userIdOf(caller);
  return { role: caller.role, claims: { role: caller.role, ...(sub !== null && { sub }) } };
}

/** Whoever signed an upload address. Throws StorageError `InvalidJWT`. */
export function callerInToken({ caller }: TokenClaims): Caller {
  const role = caller?.role;
  if (!caller || (role !== 'anon' && role !== 'authenticated' && role !== 'service_role')) {
    throw new StorageError('InvalidJWT', 'The token of the address names nobody.');
  }
  return { role, ...(caller.claims && { claims: caller.claims }) };
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
