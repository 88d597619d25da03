import type { BlobStore } from '@cellfolio/bytes';
import { accountContents, deleteAccountRequest, deletedAccount } from '@cellfolio/contract';
import {
  type Admission,
  AuthError,
  type Database,
  FunctionError,
  type OwnerCheck,
} from '@cellfolio/platform';
import type { FastifyReply } from 'fastify';
import type { FunctionsSettingsInput } from '../../runtime/functions/functions-settings.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { memberOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { streamAnswer } from '../../runtime/http/stream-answer.ts';
import { ownerOfUser } from '../../runtime/owners.ts';
import { paidTier } from '../billing/index.ts';
import { attachment } from '../export/index.ts';
import { accountArchive, browserFileBytes, countRows } from './account-archive.ts';
import { clearBytes, deleteAccount } from './delete-account.ts';

export interface AccountDataServices {
  accountData: {
    database: Database;
    blobs: BlobStore;
    payments: FunctionsSettingsInput['payments'];
    confirmOwner: OwnerCheck;
    /** Forwarding headers are those of the operator's proxy. */
    trustProxy: boolean;
  };
  exports: Admission;
  siteUrl: string | undefined;
}

const tags = ['account'];
const config = { access: 'session' as const };

const getAccount: Route<AccountDataServices> = async (app, { services }) => {
  const { database } = services.accountData;
  app.get(
    '/api/account',
    {
      config,
      schema: { summary: 'Ask what one’s own account holds', tags, response: { 200: accountContents } },
    },
    async (request) => {
      const { userId } = memberOf(request);
      const { rows } = await database.pool.query<{
        count: number;
        bytes: number;
        jobs: number;
        password: boolean;
      }>(
        `select count(o.id)::int as count, coalesce(sum((o.metadata ->> 'size')::bigint), 0)::float8 as bytes,
           (select count(*)::int from cellfolio.jobs
            where owner_id = $1::uuid and state in ('queued', 'running')) as jobs,
           coalesce((select encrypted_password from auth.users where id = $1::uuid), '') <> '' as password
         from storage.objects o where o.bucket_id = 'user-files' and o.path_tokens[1] = $1::text`,
        [userId],
      );
      const { count, bytes, jobs, password } = rows[0]!;
      return {
        tables: [...(await countRows(database, userId))],
        files: { count, bytes },
        files_included: bytes <= browserFileBytes,
        jobs_under_way: jobs,
        paid_plan: (await paidTier(database, ownerOfUser(userId))) ?? null,
        password,
      };
    },
  );
};

const getArchive: Route<AccountDataServices> = async (app, { services }) => {
  app.get(
    '/api/account/archive',
    {
      config: { ...config, streams: true },
      // Most of it is packed already.
      compress: false,
      schema: {
        summary: 'Download all data of your account',
        description:
          'A zip file that is made while it is sent: rows as JSON, annotations as CSV, kept figures, and the uploaded files; of more than 4 GB an address each instead. A connection that ends before the file does is a failure.',
        tags,
        produces: ['application/zip'],
      },
    },
    async (request, reply) => {
      const { userId } = memberOf(request);
      const signal = request.clientGone;
      const leave = await services.exports.enter(userId, signal);
      try {
        const siteUrl = services.siteUrl ?? `${request.protocol}://${request.host}`;
        const pieces = accountArchive(services.accountData, {
          userId,
          siteUrl,
          maxFileBytes: browserFileBytes,
          signal,
        });
        return reply
          .type('application/zip')
          .header('content-disposition', attachment(`cellfolio-${new Date().toISOString().slice(0, 10)}.zip`))
          .header('x-content-type-options', 'nosniff')
          .send(streamAnswer(request, reply, pieces, { onEnd: leave }));
      } catch (error) {
        leave();
        throw error;
      }
    },
  );
};

const postDeleteAccount: Route<AccountDataServices> = async (app, { services }) => {
  const { confirmOwner, trustProxy, ...deps } = services.accountData;
  app.post(
    '/api/account/delete',
    {
      config: {
        ...config,
        refusals: {
          403: 'The password is wrong, or the account has none and was signed in to long ago.',
          429: 'Too many wrong passwords; `Retry-After` says when to try again.',
          502: 'A paid plan could not be canceled; nothing was deleted.',
        },
      },
      schema: {
        summary: 'Delete your account with all its data',
        description: 'Needs a session; a personal key may not. What is paid for at Stripe is canceled first.',
        tags,
        body: deleteAccountRequest,
        response: { 200: deletedAccount },
      },
    },
    async (request, reply) => {
      const { authorization } = request.headers;
      const address = (trustProxy ? request.ip : request.socket.remoteAddress) ?? '0.0.0.0';
      try {
        await deleteAccount(deps, await confirmOwner({ ...request.body, authorization, address }));
      } catch (error) {
        throw refusalOf(error, reply);
      }
      request.log.info('an account was deleted by its owner');
      void clearBytes({ ...deps, log: request.log });
      return { deleted: true as const };
    },
  );
};

/** Maps refusals of the platform and of payments to those of `/api`. */
function refusalOf(error: unknown, reply: FastifyReply): unknown {
  if (!(error instanceof AuthError || error instanceof FunctionError)) return error;
  const { status, code, message, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds);
  return new ApiFailure(status, code, message, { cause: error });
}

export const accountDataRoutes = [getAccount, getArchive, postDeleteAccount];
