import {
  buildFileRequest,
  buildRequest,
  cellxgeneJobRequest,
  combineRequest,
  convertRequest,
  jobAnswer,
  userFileList,
  datasetId,
  subclusteringLinks,
  subclusteringRequest,
  downloadRequest,
  jobsAnswer,
  linkPreview,
  linkRequest,
} from '@cellfolio/contract';
import { z } from 'zod';
import { memberOf, tabSessionOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { ReadableDatasets } from '../catalogue/index.ts';
import { type MaskSource, onActiveCells, type SelectionServices } from '../selection/index.ts';
import type { CellxgeneFiles } from './cellxgene-files.ts';
import type { Subclusterings } from './subclusterings/subclusterings.ts';
import type { UserJobs } from './own-jobs.ts';
import type { UserLinks } from './linked-data/own-links.ts';
import { ownerOf } from '../../runtime/owners.ts';

interface LinkedDataServices {
  jobs: UserJobs;
  linkedData: UserLinks;
}

const linkRefusals = {
  400: 'The link does not lead to data (`not_a_link`, `invalid_request`).',
  403: 'It needs the Professional plan (`professional_plan_required`).',
  404: 'There is nothing behind the link (`linked_data_not_found`).',
  422: 'What is behind the link cannot be read, or its server does not answer (`link_unreadable`).',
  429: 'Another of your links is being looked at (`link_under_way`).',
} as const;

/** Previews a link: only the server's description is fetched. */
const postLinkedData: Route<LinkedDataServices> = async (app, { services }) => {
  app.post(
    '/api/linked-data',
    {
      config: { access: 'member', scope: 'upload', refusals: linkRefusals },
      schema: {
        summary: 'Look at what a link leads to',
        tags: ['own data'],
        body: linkRequest,
        response: { 200: linkPreview },
      },
    },
    (request) =>
      services.linkedData.preview(ownerOf(memberOf(request)), request.body.link, request.clientGone),
  );
};

const postDownloads: Route<LinkedDataServices> = async (app, { services }) => {
  app.post(
    '/api/downloads',
    {
      config: {
        access: 'member',
        scope: 'upload',
        refusals: {
          ...linkRefusals,
          409: 'Not enough storage for the files (`quota_exceeded`).',
          429: 'Another of your links is being looked at (`link_under_way`), or too many of your jobs are waiting (`too_many_jobs`).',
        },
      },
      schema: {
        summary: 'Fetch datasets of a link into your files',
        tags: ['own data'],
        body: downloadRequest,
        response: { 202: jobsAnswer },
      },
    },
    async (request, reply) => {
      const { body, clientGone } = request;
      const jobs = await services.linkedData.download(ownerOf(memberOf(request)), body, clientGone);
      return reply.status(202).send({ jobs });
    },
  );
};

/** Restarts a download or a combination that ended without a result, using the data that has arrived. */
const postAgain: Route<LinkedDataServices> = async (app, { services }) => {
  app.post(
    '/api/jobs/:jobId/again',
    {
      config: {
        access: 'member',
        scope: 'upload',
        refusals: {
          403: linkRefusals[403],
          404: 'You have no such job (`job_not_found`), or a file of it was deleted (`file_not_found`).',
          409: 'It has a result, is under way, or is of another kind (`not_restartable`).',
          429: 'Too many of your jobs are waiting (`too_many_jobs`).',
        },
      },
      schema: {
        summary: 'Start one of your downloads or combinations again',
        tags: ['own data'],
        params: z.object({ jobId: z.uuid() }),
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const job = await services.jobs.again(memberOf(request), request.params.jobId);
      return reply.status(202).send({ job });
    },
  );
};

const linkedDataRoutes = [postLinkedData, postDownloads, postAgain];

interface SubclusteringServices extends SelectionServices {
  masks: MaskSource & SelectionServices['masks'];
  readable: ReadableDatasets;
  subclusterings: Subclusterings;
  cellxgeneFiles: CellxgeneFiles;
}

const postSubclusterings: Route<SubclusteringServices> = async (app, { services }) => {
  app.post(
    '/api/subclusterings',
    {
      config: {
        scope: 'upload',
        refusals: {
          403: 'It needs the Professional plan (`professional_plan_required`), or the free trial has ended.',
          422: 'The dataset has no raw counts (`no_raw_counts`), the cells are too few (`too_few_cells`), the filter keeps none (`empty_subset`), they would take more memory than a job may (`too_large`), or the column tells no batches of them apart (`no_batches`).',
          429: 'Too many of your jobs are waiting (`too_many_jobs`), or too many calls.',
        },
      },
      schema: {
        summary: 'Make a dataset with a map of its own of the active cells',
        description:
          'Variable genes, components, neighbors, clusters and a UMAP are computed from the raw counts of these cells alone. The job makes a file of yours, which is then inspected and built as any other.',
        tags: ['analyses'],
        body: subclusteringRequest,
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const job = await onActiveCells(
        services,
        request,
        async (selection, call) => {
          const mask = await services.masks.maskOf(selection, call);
          return services.subclusterings.begin(ownerOf(tabSessionOf(request)), { selection, mask }, body);
        },
        { cells: body.cells, own: 'all' },
      );
      return reply.status(202).send({ job });
    },
  );
};

const getSubclusterings: Route<SubclusteringServices> = async (app, { services }) => {
  app.get(
    '/api/subclusterings/:datasetFilename',
    {
      config: { scope: 'read' },
      logLevel: 'warn',
      schema: {
        summary: 'List your subclusterings of a dataset, and the dataset that it is part of',
        tags: ['analyses'],
        params: z.object({ datasetFilename: datasetId }),
        response: { 200: subclusteringLinks },
      },
    },
    async (request) => {
      const caller = tabSessionOf(request);
      const { id } = await services.readable.manifest(caller, request.params.datasetFilename);
      return services.subclusterings.links(caller, id);
    },
  );
};

const postCellxgeneFiles: Route<SubclusteringServices> = async (app, { services }) => {
  app.post(
    '/api/cellxgene-files',
    {
      config: {
        scope: 'upload',
        refusals: {
          403: 'It needs the Professional plan (`professional_plan_required`), or the free trial has ended.',
          422: 'The dataset does not have what the schema asks for (`not_ready`): `POST /api/cellxgene-check` says what is missing.',
          429: 'Too many of your jobs are waiting (`too_many_jobs`), or too many calls.',
        },
      },
      schema: {
        summary: 'Make the file of the dataset that CELLxGENE Discover accepts',
        description:
          'All cells of the current dataset with your choices for what the schema asks for. The job makes a file of yours, which is inspected as any other; its dataset is built when you ask for it.',
        tags: ['analyses'],
        body: cellxgeneJobRequest,
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const { name, ...choices } = request.body;
      const owner = ownerOf(tabSessionOf(request));
      const job = await onActiveCells(
        services,
        request,
        (selection, { signal }) => services.cellxgeneFiles.begin(owner, selection, { name, choices }, signal),
        { cells: {}, own: 'all' },
      );
      return reply.status(202).send({ job });
    },
  );
};

const subclusteringRoutes = [getSubclusterings, postSubclusterings, postCellxgeneFiles];

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
      config: { access: 'member', scope: 'read', refusals: { 404: ownDataRefusals.job } },
      logLevel: 'warn',
      schema: {
        summary: 'Ask how far one of your jobs is',
        tags: ['own data'],
        params: z.object({ jobId: z.uuid() }),
        response: { 200: jobAnswer },
      },
    },
    async (request) => ({
      job: await services.jobs.get(memberOf(request), request.params.jobId),
    }),
  );
};

const getOwnFiles: Route<UploadServices> = async (app, { services }) => {
  app.get(
    '/api/own-files',
    {
      config: { access: 'member', scope: 'read' },
      schema: {
        summary: 'List what is known of your uploads, and the jobs on them',
        tags: ['own data'],
        response: { 200: userFileList },
      },
    },
    async (request) => services.jobs.list(ownerOf(memberOf(request))),
  );
};

const postBuildDataset: Route<UploadServices> = async (app, { services }) => {
  app.post(
    '/api/files/:fileId/build',
    {
      config: {
        access: 'member',
        scope: 'upload',
        refusals: {
          400: 'No dataset can be made from the file or with these choices (`not_buildable`, `invalid_request`), or the scale of its values must be given (`answer_needed`).',
          403: ownDataRefusals.plan,
          404: ownDataRefusals.file,
          409: 'The file was replaced and is being inspected again (`file_replaced`).',
          429: ownDataRefusals.tooMany,
        },
      },
      schema: {
        summary: 'Rebuild the dataset of an AnnData file, or build one beside it',
        tags: ['own data'],
        params: z.object({ fileId: z.uuid() }),
        body: buildFileRequest,
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const { fileId } = request.params;
      const job = await services.jobs.build(ownerOf(memberOf(request)), fileId.toLowerCase(), request.body);
      return reply.status(202).send({ job });
    },
  );
};

const postCancelJob: Route<UploadServices> = async (app, { services }) => {
  app.post(
    '/api/jobs/:jobId/cancel',
    {
      config: { access: 'member', scope: 'upload', refusals: { 404: ownDataRefusals.job } },
      schema: {
        summary: 'Stop one of your jobs',
        tags: ['own data'],
        params: z.object({ jobId: z.uuid() }),
        response: { 200: jobAnswer },
      },
    },
    async (request) => ({
      job: await services.jobs.cancel(memberOf(request), request.params.jobId),
    }),
  );
};

const postConvert: Route<UploadServices> = async (app, { services }) => {
  app.post(
    '/api/convert',
    {
      config: {
        access: 'member',
        scope: 'upload',
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
      const job = await services.jobs.convert(ownerOf(memberOf(request)), request.body);
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
        scope: 'upload',
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
      const job = await services.jobs.combine(ownerOf(memberOf(request)), request.body);
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
        scope: 'upload',
        refusals: {
          400: 'A choice is not available (`invalid_request`).',
          403: ownDataRefusals.plan,
          404: ownDataRefusals.file,
        },
      },
      schema: {
        summary: 'Inspect one of your files again',
        tags: ['own data'],
        params: z.object({ fileId: z.uuid() }),
        body: buildRequest.nullish(),
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const job = await services.jobs.inspect(
        ownerOf(memberOf(request)),
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
