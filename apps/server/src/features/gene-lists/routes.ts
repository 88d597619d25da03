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
import { memberOf, userOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
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

const tags = ['gene lists'];
const one = z.object({ geneListId: z.uuid() });
const nameTaken = 'The name is taken, or there are too many lists.';

function listOf({ id, name, revision, body }: UserDocument<GenesOfList>): GeneList {
  return { id, name, revision, genes: body!.genes };
}

async function listsOf({ geneLists }: GeneListServices, userId: string): Promise<{ lists: GeneList[] }> {
  return { lists: (await geneLists.list(userId)).map(listOf) };
}

const getGeneLists: Route<GeneListServices> = async (app, { services }) => {
  app.get(
    '/api/gene-lists',
    {
      config: { access: 'member' },
      schema: { summary: 'List one’s own gene lists', tags, response: { 200: geneListList } },
    },
    async (request) => listsOf(services, memberOf(request).userId),
  );
};

const postGeneList: Route<GeneListServices> = async (app, { services }) => {
  app.post(
    '/api/gene-lists',
    {
      config: { access: 'member', refusals: { 409: nameTaken } },
      schema: { summary: 'Keep genes under a name', tags, body: newGeneList, response: { 200: geneList } },
    },
    async (request) => {
      const { userId } = memberOf(request);
      const { name, genes } = request.body;
      const id = await services.geneLists.create(userId, { name, body: { genes } });
      return listOf(await services.geneLists.get(userId, id));
    },
  );
};

const patchGeneList: Route<GeneListServices> = async (app, { services }) => {
  app.patch(
    '/api/gene-lists/:geneListId',
    {
      config: {
        access: 'member',
        refusals: { 404: 'No such list.', 409: 'The name is taken, or the list has changed.' },
      },
      schema: {
        summary: 'Rename a gene list, or change its genes',
        tags,
        params: one,
        body: geneListChange,
        response: { 200: geneList },
      },
    },
    async (request) => {
      const { userId } = memberOf(request);
      const { geneListId: id } = request.params;
      const { name, genes, revision } = request.body;
      const body = genes ? { genes } : (await services.geneLists.get(userId, id)).body;
      await services.geneLists.change(userId, id, { revision, name, body });
      return listOf(await services.geneLists.get(userId, id));
    },
  );
};

const deleteGeneList: Route<GeneListServices> = async (app, { services }) => {
  app.delete(
    '/api/gene-lists/:geneListId',
    {
      config: { access: 'member', refusals: { 404: 'No such list.' } },
      schema: {
        summary: 'Delete a gene list',
        tags,
        params: one,
        response: { 200: geneListList.describe('Those that are left.') },
      },
    },
    async (request) => {
      const { userId } = memberOf(request);
      await services.geneLists.remove(userId, request.params.geneListId);
      return listsOf(services, userId);
    },
  );
};

/**
 * Resolves names that a page cannot resolve itself, such as Ensembl ids and symbols of another species: it has only the
 * symbols of a dataset.
 */
const postGeneNames: Route<GeneListServices> = async (app, { services }) => {
  app.post(
    '/api/datasets/:datasetFilename/gene-names',
    {
      config: { visitors: true, refusals: { 404: 'No such dataset.' } },
      schema: {
        summary: 'Ask what a dataset calls genes',
        tags,
        params: z.object({ datasetFilename: datasetId }),
        body: geneNamesRequest,
        response: { 200: geneNamesAnswer },
      },
    },
    async (request) => {
      const manifest = await services.readable.manifest(userOf(request), request.params.datasetFilename);
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

export const geneListsRoutes = [getGeneLists, postGeneList, patchGeneList, deleteGeneList, postGeneNames];
