import {
  datasetId,
  type GeneList,
  geneList,
  geneListChange,
  geneListList,
  geneNamesAnswer,
  geneNamesRequest,
  newGeneList,
} from '@cellfolio/contract';
import { detectSpecies } from '@cellfolio/analysis';
import { z } from 'zod';
import { datasetSpecies, stableId } from '../../runtime/compute/dataset-species.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { callerOf } from '../../runtime/http/access.ts';
import { documentRoutes } from '../../runtime/http/document-routes.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { Owner } from '../../runtime/owners.ts';
import type { UserDocument, UserDocuments } from '../../runtime/user-documents.ts';
import { ambiguousGenes } from '../../runtime/gene-names/named-genes.ts';
import type { ReadableDatasets } from '../catalogue/index.ts';
import { mapGenes, type OrthologueTables } from '../gene-sets/index.ts';

export type GenesOfList = Pick<GeneList, 'genes'>;

export interface GeneListServices {
  geneLists: UserDocuments<GenesOfList>;
  orthologues: Pick<OrthologueTables, 'of'>;
  readable: ReadableDatasets;
  datasets: OpenDatasets;
}

const nameTaken = 'The name is taken, or there are too many lists.';
const notFound = 'No such list.';

function listOf({ id, name, revision, body }: UserDocument<GenesOfList>): GeneList {
  return { id, name, revision, genes: body!.genes };
}

const geneListRoutes: Route<GeneListServices> = async (app, { services: { geneLists } }) => {
  const routes = documentRoutes(app, {
    tag: 'gene lists',
    access: 'member',
    all: '/api/gene-lists',
    one: '/api/gene-lists/:geneListId',
    id: z.uuid(),
  });
  const listsOf = async (owner: Owner) => ({ lists: (await geneLists.list(owner)).map(listOf) });
  routes.list({
    summary: 'List one’s own gene lists',
    answer: geneListList,
    run: ({ owner }) => listsOf(owner),
  });
  routes.create({
    summary: 'Keep genes under a name',
    refusals: { 409: nameTaken },
    input: newGeneList,
    answer: geneList,
    run: async ({ owner }, { name, genes }) => {
      const id = await geneLists.create(owner, { name, body: { genes } });
      return listOf(await geneLists.get(owner, id));
    },
  });
  routes.change({
    summary: 'Rename a gene list, or change its genes',
    refusals: { 404: notFound, 409: 'The name is taken, or the list has changed.' },
    input: geneListChange,
    answer: geneList,
    run: async ({ owner, id }, { name, genes, revision }) => {
      const body = genes ? { genes } : (await geneLists.get(owner, id)).body;
      await geneLists.change(owner, id, { revision, name, body });
      return listOf(await geneLists.get(owner, id));
    },
  });
  routes.remove({
    summary: 'Delete a gene list',
    refusals: { 404: notFound },
    answer: geneListList.describe('Those that are left.'),
    run: async ({ owner, id }) => {
      await geneLists.remove(owner, id);
      return listsOf(owner);
    },
  });
};

/**
 * Resolves names that a page cannot resolve itself, such as Ensembl ids and symbols of another species: it has only the
 * symbols of a dataset.
 */
const postGeneNames: Route<GeneListServices> = async (app, { services }) => {
  app.post(
    '/api/datasets/:datasetFilename/gene-names',
    {
      config: { scope: 'read', visitors: 'demo', refusals: { 404: 'No such dataset.' } },
      schema: {
        summary: 'Ask what a dataset calls genes',
        tags: ['gene lists'],
        params: z.object({ datasetFilename: datasetId }),
        body: geneNamesRequest,
        response: { 200: geneNamesAnswer },
      },
    },
    async (request) => {
      const manifest = await services.readable.manifest(callerOf(request), request.params.datasetFilename);
      const dataset = await services.datasets.get(manifest);
      const { genes } = dataset;
      const species = datasetSpecies(dataset).species ?? null;
      const answer: z.output<typeof geneNamesAnswer> = { genes: [], missing: [], ambiguous: [], species };
      const { names } = request.body;
      const mapped = await mapGenes(dataset, detectSpecies(names).species, services.orthologues);
      for (const name of names) {
        const row = genes.find(name) ?? mapped.find(name);
        if (row === undefined) {
          answer.missing.push(name);
          const symbols = ambiguousGenes(genes, name);
          if (symbols.length > 0) answer.ambiguous.push({ name, symbols: [...symbols] });
          continue;
        }
        const id = stableId(dataset, row);
        answer.genes.push({ name, symbol: genes.symbols[row]!, ...(id !== undefined && { id }) });
      }
      return answer;
    },
  );
};

export const geneListsRoutes = [geneListRoutes, postGeneNames];
