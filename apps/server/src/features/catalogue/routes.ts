import { type Catalogue, damagedAnswer, type ReadableDatasets } from './catalogue.ts';
import { DatasetTermsReader } from './dataset-terms.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { damagedDatasets, datasetId, datasetMetadata, datasetTerms, geneDatasets } from '@cellfolio/contract';
import { z } from 'zod';
import type { UserColumn } from '../../runtime/compute/own-columns.ts';
import type { DatasetRef } from '../../runtime/compute/task.ts';
import { callerOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { type Owner, ownerOf } from '../../runtime/owners.ts';
import { GeneDirectory } from './genes.ts';

export interface CatalogueServices {
  catalogue: Catalogue;
  datasets: OpenDatasets;
  readable: ReadableDatasets;
  ownColumns: { all: (owner: Owner, dataset: DatasetRef) => Promise<readonly UserColumn[]> };
}

const getDamagedDatasets: Route<CatalogueServices> = async (app, { services }) => {
  app.get(
    '/api/damaged-datasets',
    {
      config: { access: 'key', scope: 'read' },
      schema: {
        summary: 'List the datasets that are there and cannot be read',
        tags: ['datasets'],
        response: { 200: damagedDatasets },
      },
    },
    async () => damagedAnswer(await services.catalogue.damaged()),
  );
};

const getDatasetMetadata: Route<CatalogueServices> = async (app, { services }) => {
  app.get(
    '/api/dataset_metadata',
    {
      config: { access: 'key', scope: 'read' },
      schema: {
        summary: 'List the datasets by disease and sub-disease',
        tags: ['datasets'],
        response: { 200: datasetMetadata },
      },
    },
    async () => services.catalogue.byDisease(),
  );
};

const maxGenes = 10;
const gene = z.string().min(1).max(500);

const getGeneDatasets: Route<CatalogueServices> = async (app, { services }) => {
  const directory = new GeneDirectory(services.catalogue, services.datasets);
  app.get(
    '/api/gene-datasets',
    {
      config: { access: 'key', scope: 'read' },
      schema: {
        summary: 'Find the datasets of the catalog that have genes, and how many of their cells express them',
        tags: ['datasets'],
        querystring: z.object({
          genes: z
            .string()
            .transform((text) => text.split(',').map((one) => one.trim()))
            .pipe(z.array(gene).min(1).max(maxGenes))
            .describe(`Symbols, separated by commas, in upper or lower case; at most ${maxGenes}.`),
        }),
        response: { 200: geneDatasets },
      },
    },
    async ({ query }) => ({ genes: await directory.find([...new Set(query.genes)]) }),
  );
};

const getDatasetTerms: Route<CatalogueServices> = async (app, { services }) => {
  const reader = new DatasetTermsReader(services.datasets);
  app.get(
    '/api/datasets/:datasetFilename/terms',
    {
      config: { scope: 'read', visitors: 'public' },
      schema: {
        summary: 'List the ontology ids of the labels of a dataset',
        description:
          'Ids of columns such as `cell_type_ontology_term_id`, by the labels of the column that they belong to. Values joined by ` || ` are split. Own labels with terms come last.',
        tags: ['datasets'],
        params: z.object({ datasetFilename: datasetId }),
        response: { 200: datasetTerms },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const manifest = await services.readable.manifest(caller, request.params.datasetFilename);
      return reader.of(manifest, caller && (await services.ownColumns.all(ownerOf(caller), manifest)));
    },
  );
};

export const catalogueRoutes = [getDamagedDatasets, getDatasetMetadata, getGeneDatasets, getDatasetTerms];
