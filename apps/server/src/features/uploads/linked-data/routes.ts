import { downloadRequest, jobAnswer, jobsAnswer, linkPreview, linkRequest } from '@cellfolio/contract';
import { z } from 'zod';
import { memberOf } from '../../../runtime/http/access.ts';
import type { Route } from '../../../runtime/http/routes.ts';
import type { OwnJobs } from '../own-jobs.ts';
import type { OwnLinks } from './own-links.ts';

export interface LinkedDataServices {
  readonly jobs: OwnJobs;
  readonly linkedData: OwnLinks;
}

const linkRefusals = {
  400: 'It is no link to data (`not_a_link`, `invalid_request`).',
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
      config: { access: 'member', refusals: linkRefusals },
      schema: {
        summary: 'Look at what a link leads to',
        tags: ['own data'],
        body: linkRequest,
        response: { 200: linkPreview },
      },
    },
    (request) => services.linkedData.preview(memberOf(request).userId, request.body.link, request.clientGone),
  );
};

const postDownloads: Route<LinkedDataServices> = async (app, { services }) => {
  app.post(
    '/api/downloads',
    {
      config: {
        access: 'member',
        refusals: {
          ...linkRefusals,
          409: 'There is no room for the files (`quota_exceeded`).',
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
      const jobs = await services.linkedData.download(memberOf(request).userId, body, clientGone);
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
      const job = await services.jobs.again(memberOf(request).userId, request.params.jobId);
      return reply.status(202).send({ job });
    },
  );
};

export const linkedDataRoutes = [postLinkedData, postDownloads, postAgain];
