import type { AccessPolicy } from '../../runtime/http/access.ts';
import type { GeneSetLibraries } from './gene-set-store.ts';
import type { LibraryPulls, PullOutcome } from './pull-libraries.ts';
import type { ProgressHub } from '../../runtime/progress/progress-hub.ts';
import {
  cellStateNames,
  geneSetLibraries,
  type PulledGeneSetLibraries,
  pulledGeneSetLibraries,
} from '@cellfolio/contract';
import { type Dataset, StoreWriteFailed } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { memberOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { datasetQuery, lookUpGenes, queriedDataset, type ReadableDatasets } from '../catalogue/index.ts';
import { originOf } from './gene-set-store.ts';
import { mapGenes } from './mapped-genes.ts';
import type { OrthologueTables } from './orthologues.ts';

export interface GeneSetServices {
  access: AccessPolicy;
  libraries: GeneSetLibraries;
  pulls: LibraryPulls;
  progress: ProgressHub;
  readable: ReadableDatasets;
  datasets: OpenDatasets;
  orthologues: Pick<OrthologueTables, 'of'>;
}

const getGeneSetLibraries: Route<GeneSetServices> = async (app, { services }) => {
  app.get(
    '/api/gene-set-libraries',
    {
      config: { scope: 'read', refusals: { 404: 'No such dataset.' } },
      schema: {
        summary: 'List the gene set libraries and the cell states',
        tags: ['analyses'],
        querystring: datasetQuery,
        response: { 200: geneSetLibraries },
      },
    },
    async (request) => {
      const dataset = await queriedDataset(services, request, request.query);
      return {
        libraries: (await services.libraries.list())
          .filter(({ damaged }) => damaged === undefined)
          .map((library) => Object.assign(originOf(library), { set_count: library.setCount })),
        cell_states: [...cellStateNames],
        cell_state_genes: dataset && (await genesOfStates(services, dataset)),
        may_pull: await services.access.operates(memberOf(request)),
      };
    },
  );
};

/** How many genes of each state a dataset has, found as they are when it is scored. */
async function genesOfStates(
  { libraries, orthologues }: Pick<GeneSetServices, 'libraries' | 'orthologues'>,
  dataset: Pick<Dataset, 'genes'>,
) {
  const { sets } = await libraries.cellStates();
  const { find } = await mapGenes(dataset, 'human', orthologues);
  return sets.map(({ name, genes }) => {
    const { matches, missing } = lookUpGenes({ ...dataset.genes, find }, genes);
    return { name, gene_count: matches.length + missing.length, found_count: matches.length };
  });
}

/** Fetches the offered libraries from their publisher; the work continues when its caller has left. */
const postPullGeneSetLibraries: Route<GeneSetServices> = async (app, { services }) => {
  app.post(
    '/api/gene-set-libraries/pull',
    {
      config: {
        access: 'operator',
        scope: 'upload',
        refusals: {
          403: 'The account is not an operator account.',
          503: 'The server is stopping.',
          507: 'The server could not store the libraries.',
        },
      },
      schema: {
        summary: 'Fetch the gene set libraries from their publisher (operators)',
        tags: ['analyses'],
        response: { 200: pulledGeneSetLibraries },
      },
    },
    async (request) => {
      const { userId } = memberOf(request);
      const { report, finish } = services.progress.start({ userId, requestId: request.id });
      try {
        const outcomes = await services.pulls.follow({ onProgress: report, signal: request.clientGone });
        return { libraries: outcomes.map(answerOf) };
      } catch (error) {
        throw request.clientGone.aborted ? error : asFailure(error);
      } finally {
        finish();
      }
    },
  );
};

function answerOf(one: PullOutcome): PulledGeneSetLibraries['libraries'][number] {
  const { name, outcome } = one;
  return one.outcome === 'fetched'
    ? { name, outcome, warnings: [...one.warnings] }
    : { name, outcome, reason: one.reason, warnings: [] };
}

/** Maps errors that end a whole pull; the failure of a single library is in the response. */
function asFailure(error: unknown): unknown {
  if (error instanceof DOMException && error.name === 'AbortError') {
    const message = 'The server is stopping. Complete libraries are kept; fetch the others again.';
    return new ApiFailure(503, 'stopping', message, { cause: error });
  }
  if (!(error instanceof StoreWriteFailed)) return error;
  const message =
    'The server could not store the libraries: is its disk full? The previous libraries are unchanged.';
  return new ApiFailure(507, 'not_stored', message, { cause: error });
}

export const geneSetsRoutes = [getGeneSetLibraries, postPullGeneSetLibraries];
