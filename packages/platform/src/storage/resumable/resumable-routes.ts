import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Server, type Lock, type Locker, type RequestRelease } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Database } from '../../database/database.ts';
import { exposedHeaders, requestHeaders } from '../../gateway/service-scope.ts';
import { callerInToken } from '../signed-addresses.ts';
import { retryAfterSeconds, StorageError } from '../storage-error.ts';
import { callerOf, userIdOf, untouchedBytes } from '../storage-request.ts';
import type { StorageContext } from '../storage-context.ts';
import { checkMimeType, checkSize, planUpload } from '../plan-upload.ts';
import { BlobDataStore } from './blob-data-store.ts';
import {
  NoSuchUpload,
  tusRefusal,
  absoluteUrl,
  describedIn,
  isUploadId,
  uploadRow,
  type UploadRow,
} from './tus-protocol.ts';

/** Caller of a request, determined before the protocol's server sees it. */
interface Call {
  /** Checks the caller's right to this object; undefined for a request that needs no caller (HEAD). */
  callerFor: ((bucketId: string, name: string) => Promise<Caller>) | undefined;
  upsert: boolean;
  /** Path of the new upload, before its id. */
  path: string;
}

const path = '/upload/resumable';

/** Resumable uploads (TUS 1.0.0) at `/upload/resumable`, and at `/upload/resumable/sign` by a signed upload token. */
export function resumableRoutes(app: FastifyInstance, context: StorageContext): void {
  const calls = new WeakMap<IncomingMessage, Call>();
  const server = tusServer(context, calls);

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    calls.set(request.raw, await callOf(context, request));
    // From here the TUS server reads and responds.
    reply.hijack();
    try {
      await server.handle(request.raw, reply.raw);
    } catch (error) {
      request.log.error({ err: error }, 'a resumable upload broke off');
      reply.raw.destroy();
    }
  };
  app.setErrorHandler((error, request, reply) => {
    const { status_code, body } = tusRefusal(error, request.log);
    if (status_code === 503) reply.header('retry-after', retryAfterSeconds);
    return reply.code(status_code).header('tus-resumable', '1.0.0').type('text/plain').send(body);
  });
  for (const url of [path, `${path}/sign`]) {
    app.route({ ...untouchedBytes, method: ['POST', 'OPTIONS'], url, handler: handle });
  }
  // Wildcards, as a parameter longer than the router takes would be answered 414 rather than 404.
  for (const url of [`${path}/*`, `${path}/sign/*`]) {
    app.route({ ...untouchedBytes, method: ['HEAD', 'PATCH', 'DELETE', 'OPTIONS'], url, handler: handle });
  }
}

async function callOf(context: StorageContext, request: FastifyRequest): Promise<Call> {
  const signed = request.routeOptions.url?.includes(`${path}/sign`) ?? false;
  const common = {
    upsert: request.headers['x-upsert'] === 'true',
    path: signed ? `${path}/sign` : path,
  };
  if (request.method === 'HEAD' || request.method === 'OPTIONS') return { ...common, callerFor: undefined };
  if (signed) {
    const signature = request.headers['x-signature'];
    return {
      ...common,
      callerFor: async (bucketId, name) => {
        const token = typeof signature === 'string' ? signature : undefined;
        return callerInToken(await context.tokens.verify(token, 'upload', `${bucketId}/${name}`));
      },
    };
  }
  const caller = await callerOf(context, request.headers);
  return { ...common, callerFor: async () => caller };
}

function tusServer(context: StorageContext, calls: WeakMap<IncomingMessage, Call>): Server {
  const store = new BlobDataStore(context);
  const callMade = (request: WebRequest): Call => {
    const call = calls.get(nodeRequest(request));
    if (!call) throw new Error('A request bypassed its route.');
    return call;
  };

  const server = new Server({
    path: `/storage/v1${path}`,
    datastore: store,
    locker: new UploadLocks({
      database: context.database,
      waitSeconds: context.settings.lockWaitSeconds,
      leaseSeconds: context.settings.leaseSeconds,
      idle: (id) => store.idle(id),
    }),
    maxSize: context.settings.maxFileBytes,
    disableTerminationForFinishedUploads: true,
    // In addition to the TUS headers, which its server lists.
    allowedHeaders: requestHeaders.split(', '),
    exposedHeaders: exposedHeaders.split(', '),
    namingFunction: () => randomUUID(),
    generateUrl: (request, { id }) =>
      absoluteUrl(nodeRequest(request), `/storage/v1${callMade(request).path}/${id}`, context),
    // The TUS server answers 404 to an invalid id.
    getFileIdFromRequest: (_request, last) => (isUploadId(last) ? last : undefined),
    onIncomingRequest: async (request, id) => {
      const { callerFor } = callMade(request);
      if (request.method === 'POST' || !callerFor) return;
      const row = await uploadRow(context.database, id);
      if (!row) throw new NoSuchUpload();
      const caller = await callerFor(row.bucket_id, row.name);
      // Same response for another user's upload and a missing one.
      if (!mayGoOn(caller, row)) throw new NoSuchUpload();
      if (request.method === 'PATCH' && !row.finished) {
        await planUpload(context, {
          caller: row.caller,
          bucketId: row.bucket_id,
          name: row.name,
          upsert: row.upsert,
        });
      }
    },
    onUploadCreate: async (request, upload) => {
      const { callerFor, upsert } = callMade(request);
      const { bucketName, objectName } = upload.metadata ?? {};
      if (!callerFor || !bucketName || !objectName) {
        throw new StorageError('InvalidRequest', 'Upload-Metadata needs a bucketName and an objectName.');
      }
      const described = describedIn(upload.metadata ?? {});
      const caller = await callerFor(bucketName, objectName);
      const plan = await planUpload(context, {
        caller,
        bucketId: bucketName,
        name: objectName,
        upsert,
        version: upload.id,
      });
      checkMimeType(described.mimetype || 'application/octet-stream', plan.allowedMimeTypes);
      checkSize(upload.size, plan.maxBytes);
      store.allow(upload, plan);
      return {};
    },
    onResponseError: (request, error) => {
      const refusal = tusRefusal(error, context.log);
      // The TUS server cannot set headers on errors.
      if (refusal.status_code === 503) nodeResponse(request)?.setHeader('retry-after', retryAfterSeconds);
      return refusal;
    },
  });
  return server;
}

interface WebRequest {
  runtime?: { node?: { req?: unknown; res?: unknown } };
}

function nodeResponse(request: WebRequest): ServerResponse | undefined {
  return request.runtime?.node?.res as ServerResponse | undefined;
}

function nodeRequest(request: WebRequest): IncomingMessage {
  return request.runtime?.node?.req as IncomingMessage;
}

function mayGoOn(caller: Caller, row: UploadRow): boolean {
  if (caller.role === 'service_role') return true;
  // An upload that was begun after the second step is not continued without it.
  const passed = row.caller.claims?.['aal'] !== 'aal2' || caller.claims?.['aal'] === 'aal2';
  return passed && caller.role === row.caller.role && userIdOf(caller) === userIdOf(row.caller);
}

const retryMs = 200;

interface UploadLocksOptions {
  database: Database;
  waitSeconds: number;
  /** A lease expires this long after its process last renewed it. */
  leaseSeconds: number;
  idle: (id: string) => Promise<void>;
}

/** Shaped so that the protocol's server treats it as one of its own errors. */
class UploadLockedError extends Error {
  override readonly name = 'UploadLockedError';
  readonly status_code = 423;
  readonly body = 'The upload is being written to by another request; try again in a moment.\n';

  constructor() {
    super('The upload stayed locked.');
  }
}

interface LockHolder {
  askToStop: RequestRelease;
  freed: Promise<void>;
  free: () => void;
}

/**
 * One writer per upload. The next writer asks the holder to stop: usually a connection that died unnoticed. In memory
 * within a process; by a lease in the database between processes.
 */
class UploadLocks implements Locker {
  readonly #options: UploadLocksOptions;
  readonly #holders = new Map<string, LockHolder>();

  constructor(options: UploadLocksOptions) {
    this.#options = options;
  }

  newLock(id: string): Lock {
    let stopRenewing = (): void => {};
    let lease: string | undefined;
    return {
      lock: async (signal, askToStop) => {
        const giveUp = AbortSignal.any([signal, AbortSignal.timeout(this.#options.waitSeconds * 1000)]);
        await this.#hold(id, askToStop, giveUp);
        try {
          lease = await this.#lease(id, giveUp);
        } catch (error) {
          this.#free(id);
          throw error;
        }
        if (lease !== undefined) stopRenewing = this.#renew(id, lease, askToStop);
      },
      unlock: async () => {
        try {
          await this.#options.idle(id);
          stopRenewing();
          if (lease !== undefined) await this.#endLease(id, lease);
        } finally {
          this.#free(id);
        }
      },
    };
  }

  async #hold(id: string, askToStop: RequestRelease, giveUp: AbortSignal): Promise<void> {
    for (;;) {
      const holder = this.#holders.get(id);
      if (!holder) break;
      await holder.askToStop();
      await Promise.race([holder.freed, aborted(giveUp)]);
      if (giveUp.aborted) throw new UploadLockedError();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#holders.set(id, { askToStop, freed: promise, free: resolve });
  }

  #free(id: string): void {
    this.#holders.get(id)?.free();
    this.#holders.delete(id);
  }

  /** Undefined if no lease is needed: the embedded database has one process, and a new upload has no row. */
  async #lease(id: string, giveUp: AbortSignal): Promise<string | undefined> {
    const { database, leaseSeconds } = this.#options;
    if (database.kind === 'embedded') return undefined;
    const holder = randomUUID();
    for (;;) {
      const { rowCount } = await database.pool.query(
        `update storage.uploads set lock_holder = $2, lock_until = now() + make_interval(secs => $3), lock_wanted = false
         where id = $1 and (lock_until is null or lock_until < now())`,
        [id, holder, leaseSeconds],
      );
      if (rowCount === 1) return holder;
      const update = await database.pool.query(
        'update storage.uploads set lock_wanted = true where id = $1',
        [id],
      );
      if (update.rowCount === 0) return undefined;
      await delay(retryMs, undefined, { signal: giveUp }).catch(() => {
        throw new UploadLockedError();
      });
    }
  }

  #renew(id: string, holder: string, askToStop: RequestRelease): () => void {
    const { database, leaseSeconds } = this.#options;
    const renew = async (): Promise<void> => {
      const { rows } = await database.pool.query<{ lock_wanted: boolean }>(
        `update storage.uploads set lock_until = now() + make_interval(secs => $3)
         where id = $1 and lock_holder = $2 returning lock_wanted`,
        [id, holder, leaseSeconds],
      );
      if (!rows[0] || rows[0].lock_wanted) await askToStop();
    };
    // The lease expires; writes without it are refused at their checkpoint.
    const timer = setInterval(() => void renew().catch(() => {}), leaseSeconds * 100);
    timer.unref();
    return () => clearInterval(timer);
  }

  async #endLease(id: string, holder: string): Promise<void> {
    await this.#options.database.pool
      .query(
        `update storage.uploads set lock_holder = null, lock_until = null, lock_wanted = false
         where id = $1 and lock_holder = $2`,
        [id, holder],
      )
      .catch(() => {});
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
