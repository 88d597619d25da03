import { createHash } from 'node:crypto';
import {
  datasetId,
  type KeptAnalysis,
  keptAnalysisList,
  keptAnalysisName,
  newKeptAnalysis,
} from '@cellfolio/contract';
import { z } from 'zod';
import { memberOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { UserDocuments } from '../../runtime/user-documents.ts';
import type { ReadableDatasets } from '../catalogue/index.ts';

type Kept = Omit<KeptAnalysis, 'id'>;

export interface KeptAnalysisServices {
  keptAnalyses: UserDocuments<Kept>;
  readable: ReadableDatasets;
}

const tags = ['analyses'];
const ofDataset = z.object({ datasetFilename: datasetId });
const one = z.object({ analysisId: z.string().max(100) });

async function listOf({ keptAnalyses }: KeptAnalysisServices, userId: string, dataset: string) {
  const documents = await keptAnalyses.list(userId, dataset);
  const analyses = documents.map(({ id, body }) => Object.assign(body!, { id }));
  return { analyses: analyses.toSorted((a, b) => b.ran_at - a.ran_at) };
}

/** Equal for requests of one question: kind, version, cells and parameters. */
function questionOf({ analysis, version, subset, request }: Kept): string {
  const question = [analysis, version, subset && [subset.name, subset.filter], request];
  return createHash('sha256').update(JSON.stringify(question)).digest('hex');
}

const getKeptAnalyses: Route<KeptAnalysisServices> = async (app, { services }) => {
  app.get(
    '/api/datasets/:datasetFilename/kept-analyses',
    {
      config: { access: 'member', refusals: { 404: 'No such dataset.' } },
      schema: {
        summary: 'List one’s last analyses of a dataset',
        tags,
        params: ofDataset,
        response: { 200: keptAnalysisList },
      },
    },
    async (request) => {
      const { userId } = memberOf(request);
      const { id } = await services.readable.manifest(userId, request.params.datasetFilename);
      return listOf(services, userId, id);
    },
  );
};

const postKeptAnalysis: Route<KeptAnalysisServices> = async (app, { services }) => {
  app.post(
    '/api/datasets/:datasetFilename/kept-analyses',
    {
      config: {
        access: 'member',
        refusals: { 404: 'No such dataset.', 409: 'The id is taken.' },
      },
      schema: {
        summary: 'Keep the input of an analysis, in place of the same question asked before',
        tags,
        params: ofDataset,
        body: newKeptAnalysis,
        response: { 200: keptAnalysisList },
      },
    },
    async (request) => {
      const { userId } = memberOf(request);
      const { id: dataset } = await services.readable.manifest(userId, request.params.datasetFilename);
      const { id, ...input } = request.body;
      await services.keptAnalyses.replace(userId, {
        id,
        dataset,
        name: questionOf(input),
        body: (before) => ({ ...input, name: input.name ?? before?.name ?? null }),
      });
      return listOf(services, userId, dataset);
    },
  );
};

const patchKeptAnalysis: Route<KeptAnalysisServices> = async (app, { services }) => {
  app.patch(
    '/api/kept-analyses/:analysisId',
    {
      config: { access: 'member', refusals: { 404: 'No such analysis.', 409: 'It has changed.' } },
      schema: {
        summary: 'Name an analysis that was kept',
        tags,
        params: one,
        body: keptAnalysisName,
        response: { 200: keptAnalysisList },
      },
    },
    async (request) => {
      const { userId } = memberOf(request);
      const { id, dataset, revision, body } = await services.keptAnalyses.get(
        userId,
        request.params.analysisId,
      );
      const { name } = request.body;
      await services.keptAnalyses.change(userId, id, { revision, body: { ...body!, name } });
      return listOf(services, userId, dataset);
    },
  );
};

const deleteKeptAnalysis: Route<KeptAnalysisServices> = async (app, { services }) => {
  app.delete(
    '/api/kept-analyses/:analysisId',
    {
      config: { access: 'member', refusals: { 404: 'No such analysis.' } },
      schema: {
        summary: 'Delete an analysis that was kept',
        tags,
        params: one,
        response: { 200: keptAnalysisList.describe('Those that are left of the dataset.') },
      },
    },
    async (request) => {
      const { userId } = memberOf(request);
      const dataset = await services.keptAnalyses.remove(userId, request.params.analysisId);
      return listOf(services, userId, dataset);
    },
  );
};

export const keptAnalysesRoutes = [getKeptAnalyses, postKeptAnalysis, patchKeptAnalysis, deleteKeptAnalysis];
