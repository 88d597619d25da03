import {
  buildFileRequest,
  buildRequest,
  combineRequest,
  convertRequest,
  jobAnswer,
  ownFiles,
} from '@cellfolio/contract';
import { z } from 'zod';
import { memberOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { linkedDataRoutes, type LinkedDataServices } from './linked-data/routes.ts';
import { subclusteringRoutes, type SubclusteringServices } from './subclusterings/routes.ts';

export interface UploadServices extends LinkedDataServices, SubclusteringServices {}

const ownDataRefusals = {
  plan: 'It needs the Professional plan (`professional_plan_required`).',
  file: 'You have no such file (`file_not_found`).',
  job: 'You have no such job (`job_not_found`).',
  tooMany: 'Too many of your jobs are waiting (`too_many_jobs`).',
} as const;

const getJob: Route<UploadServices> = async (app, { services }) => {
  app.get(
    '/api/jobs/:jobId',
    {
      config: { access: 'member', refusals: { 404: ownDataRefusals.job } },
      logLevel: 'warn',
      schema: {
        summary: 'Ask how far one of your jobs is',
        tags: ['own data'],
        params: z.object({ jobId: z.uuid() }),
        response: { 200: jobAnswer },
      },
    },
    async (request) => ({
      job: await services.jobs.get(memberOf(request).userId, request.params.jobId),
    }),
  );
};

const getOwnFiles: Route<UploadServices> = async (app, { services }) => {
  app.get(
    '/api/own-files',
    {
      config: { access: 'member' },
      schema: {
        summary: 'List what is known of your uploads, and the jobs on them',
        tags: ['own data'],
        response: { 200: ownFiles },
      },
    },
    async (request) => services.jobs.list(memberOf(request).userId),
  );
};

const postBuildDataset: Route<UploadServices> = async (app, { services }) => {
  app.post(
    '/api/files/:fileId/build',
    {
      config: {
        access: 'member',
        refusals: {
          400: 'No dataset can be made from the file or with these choices (`not_buildable`, `invalid_request`), or the scale of its values must be given (`answer_needed`).',
          403: ownDataRefusals.plan,
          404: ownDataRefusals.file,
          409: 'The file was replaced and is being inspected again (`file_replaced`).',
          429: ownDataRefusals.tooMany,
        },
      },
      schema: {
        summary: 'Make the dataset of an AnnData file anew, or one beside it',
        tags: ['own data'],
        params: z.object({ fileId: z.uuid() }),
        body: buildFileRequest,
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const { fileId } = request.params;
      const job = await services.jobs.build(memberOf(request).userId, fileId.toLowerCase(), request.body);
      return reply.status(202).send({ job });
    },
  );
};

const postCancelJob: Route<UploadServices> = async (app, { services }) => {
  app.post(
    '/api/jobs/:jobId/cancel',
    {
      config: { access: 'member', refusals: { 404: ownDataRefusals.job } },
      schema: {
        summary: 'Stop one of your jobs',
        tags: ['own data'],
        params: z.object({ jobId: z.uuid() }),
        response: { 200: jobAnswer },
      },
    },
    async (request) => ({
      job: await services.jobs.cancel(memberOf(request).userId, request.params.jobId),
    }),
  );
};

const postConvert: Route<UploadServices> = async (app, { services }) => {
  app.post(
    '/api/convert',
    {
      config: {
        access: 'member',
        refusals: {
          400: 'The files are not one matrix and two tables (`not_convertible`, `invalid_request`).',
          403: ownDataRefusals.plan,
          404: ownDataRefusals.file,
          409: 'One of the files is already being converted (`already_converting`).',
          429: ownDataRefusals.tooMany,
        },
      },
      schema: {
        summary: 'Make an AnnData file of a matrix and its two tables',
        tags: ['own data'],
        body: convertRequest,
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const job = await services.jobs.convert(memberOf(request).userId, request.body);
      return reply.status(202).send({ job });
    },
  );
};

const postCombine: Route<UploadServices> = async (app, { services }) => {
  app.post(
    '/api/combine',
    {
      config: {
        access: 'member',
        refusals: {
          400: 'The files or the table of samples cannot be taken (`not_combinable`, `invalid_request`).',
          403: ownDataRefusals.plan,
          404: ownDataRefusals.file,
          429: ownDataRefusals.tooMany,
        },
      },
      schema: {
        summary: 'Make one AnnData file of several samples',
        tags: ['own data'],
        body: combineRequest,
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const job = await services.jobs.combine(memberOf(request).userId, request.body);
      return reply.status(202).send({ job });
    },
  );
};

const postInspectFile: Route<UploadServices> = async (app, { services }) => {
  app.post(
    '/api/files/:fileId/inspect',
    {
      config: {
        access: 'member',
        refusals: {
          400: 'A choice is not one of those offered (`invalid_request`).',
          403: ownDataRefusals.plan,
          404: ownDataRefusals.file,
        },
      },
      schema: {
        summary: 'Look at one of your files anew',
        tags: ['own data'],
        params: z.object({ fileId: z.uuid() }),
        body: buildRequest.nullish(),
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const job = await services.jobs.inspect(
        memberOf(request).userId,
        params.fileId.toLowerCase(),
        body ?? {},
      );
      return reply.status(202).send({ job });
    },
  );
};

export const uploadsRoutes = [
  getJob,
  getOwnFiles,
  postBuildDataset,
  postCancelJob,
  postCombine,
  postConvert,
  postInspectFile,
  ...linkedDataRoutes,
  ...subclusteringRoutes,
];
