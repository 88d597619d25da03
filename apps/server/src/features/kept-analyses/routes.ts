import { createHash } from 'node:crypto';
import { type KeptAnalysis, keptAnalysisList, keptAnalysisName, newKeptAnalysis } from '@cellfolio/contract';
import { z } from 'zod';
import { documentRoutes } from '../../runtime/http/document-routes.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { Owner } from '../../runtime/owners.ts';
import type { UserDocuments } from '../../runtime/user-documents.ts';
import type { ReadableDatasets } from '../catalogue/index.ts';

type Kept = Omit<KeptAnalysis, 'id'>;

export interface KeptAnalysisServices {
  keptAnalyses: UserDocuments<Kept>;
  readable: ReadableDatasets;
}

/** Equal for requests of one question: kind, version, cells and parameters. */
function questionOf({ analysis, version, subset, request }: Kept): string {
  const question = [analysis, version, subset && [subset.name, subset.filter], request];
  return createHash('sha256').update(JSON.stringify(question)).digest('hex');
}

const keptAnalysisRoutes: Route<KeptAnalysisServices> = async (app, { services }) => {
  const { keptAnalyses, readable } = services;
  const routes = documentRoutes(app, {
    tag: 'analyses',
    access: 'member',
    all: '/api/datasets/:datasetFilename/kept-analyses',
    one: '/api/kept-analyses/:analysisId',
    id: z.string().max(100),
    dataset: ({ caller }, { filename }) => readable.manifest(caller, filename!),
  });
  const listOf = async (owner: Owner, dataset: string) => {
    const documents = await keptAnalyses.list(owner, dataset);
    const analyses = documents.map(({ id, body }) => Object.assign(body!, { id }));
    return { analyses: analyses.toSorted((a, b) => b.ran_at - a.ran_at) };
  };
  routes.list({
    summary: 'List one’s last analyses of a dataset',
    refusals: { 404: 'No such dataset.' },
    answer: keptAnalysisList,
    run: async ({ owner, dataset }) => listOf(owner, (await dataset()).id),
  });
  routes.create({
    summary: 'Keep the input of an analysis, in place of the same question asked before',
    refusals: { 404: 'No such dataset.', 409: 'The id is taken.' },
    input: newKeptAnalysis,
    answer: keptAnalysisList,
    run: async ({ owner, dataset: datasetOf }, { id, ...input }) => {
      const { id: dataset } = await datasetOf();
      const body = (before: Kept | null) => ({ ...input, name: input.name ?? before?.name ?? null });
      await keptAnalyses.replace(owner, { id, dataset, name: questionOf(input), body });
      return listOf(owner, dataset);
    },
  });
  routes.change({
    summary: 'Name an analysis that was kept',
    refusals: { 404: 'No such analysis.', 409: 'It has changed.' },
    input: keptAnalysisName,
    answer: keptAnalysisList,
    run: async ({ owner, id }, { name }) => {
      const { dataset, revision, body } = await keptAnalyses.get(owner, id);
      await keptAnalyses.change(owner, id, { revision, body: { ...body!, name } });
      return listOf(owner, dataset);
    },
  });
  routes.remove({
    summary: 'Delete an analysis that was kept',
    refusals: { 404: 'No such analysis.' },
    answer: keptAnalysisList.describe('Those that are left of the dataset.'),
    run: async ({ owner, id }) => listOf(owner, await keptAnalyses.remove(owner, id)),
  });
};

export const keptAnalysesRoutes = [keptAnalysisRoutes];
