import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { type AccessPolicy, credentialsOf, tabSessionOf } from '../../runtime/http/access.ts';
import {
  type Catalogue,
  type ReadableDatasets,
  countsOf,
  isOwn,
  leftOutCautions,
  listedCategories,
  listedFields,
  listedGenes,
  metadataCounts,
  umapUrl,
  unlabelledCells,
} from '../catalogue/index.ts';
import type { OrthologueTables } from '../gene-sets/index.ts';
import type { NamedScores } from '../scores/index.ts';
import { type SelectionServices, visitors } from '../selection/index.ts';
import type { FigureService } from './figures.ts';
import { type CategoryDisplay, type DatasetAnalysis, datasetAnalysis, datasetId } from '@cellfolio/contract';
import { namedAsHuman } from '@cellfolio/analysis';
import type { DatasetManifest } from '@cellfolio/store';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { datasetSpecies } from '../../runtime/compute/dataset-species.ts';
import { inDisplayOrder } from '../../runtime/compute/category-display.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { ownerOf } from '../../runtime/owners.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { sampleColumn, samplesAnswer } from '../../runtime/sample-column.ts';

export interface ExploreServices extends SelectionServices {
  access: AccessPolicy;
  catalogue: Catalogue;
  readable: ReadableDatasets;
  datasets: OpenDatasets;
  figures: FigureService;
  scores: NamedScores;
  orthologues: Pick<OrthologueTables, 'mappedTo'>;
  limits: { genesPerCall: number };
}

export const getDatasetAnalysis: Route<ExploreServices> = async (app, { services }) => {
  app.get(
    '/api/dataset_analysis/:datasetFilename',
    {
      config: { scope: 'read', visitors: 'demo' },
      schema: {
        summary: 'Open a dataset',
        tags: ['datasets'],
        params: z.object({ datasetFilename: datasetId }),
        response: { 200: datasetAnalysis },
      },
    },
    async (request) => {
      if (request.visitor) {
        const manifest = await services.readable.manifest(undefined, request.visitor.dataset);
        return analyseDataset(manifest, services, []);
      }
      const screen = tabSessionOf(request);
      const since = new Date();
      try {
        const manifest = await services.readable.manifest(screen, request.params.datasetFilename);
        const displays = await services.displays.current(ownerOf(screen), manifest);
        const analysis = await analyseDataset(manifest, services, displays);
        await services.active.open(screen, manifest);
        return analysis;
      } catch (error) {
        // A store that is away does not close the dataset that it has.
        const isRefused = error instanceof ApiFailure && error.status < 500;
        await services.active.close(screen, since, isRefused ? undefined : request.params.datasetFilename);
        throw error;
      }
    },
  );
};

const aYear = 60 * 60 * 24 * 365;

/** The default UMAP of a dataset, coloured by cell type: the image at its `umap_url`. */
export const getDatasetUmap: Route<ExploreServices> = async (app, { services }) => {
  app.get(
    '/api/datasets/:datasetFilename/umap.png',
    {
      config: {
        access: 'public',
        refusals: {
          401: 'The dataset was made from an upload, and the key or the token is missing or wrong.',
          403: 'The dataset was made from an upload, and the free trial of its owner has ended without a plan.',
          409: 'The dataset of an upload is not ready, or it has just been replaced.',
          503: 'The server cannot reach its datasets; `Retry-After` says when to try again.',
        },
      },
      schema: {
        summary: 'Get the default UMAP of a dataset as a PNG',
        description:
          'Images of catalog datasets are public. That of a dataset made from an upload needs the key and token of its owner.',
        tags: ['datasets'],
        produces: ['image/png'],
        params: z.object({ datasetFilename: datasetId }),
        querystring: z.object({ version: z.string().max(128).optional() }),
      },
    },
    async (request, reply) => {
      const { datasetFilename: id } = request.params;
      const manifest = isOwn(id)
        ? await ownManifest(services, request, id)
        : await services.catalogue.manifest(id);
      const { version } = manifest;
      const etag = `"${version}"`;
      // Only an address that names this version may be kept without asking again; one's own is asked for each time.
      const lasting = request.query.version === version;
      const keeping = lasting ? `public, max-age=${aYear}, immutable` : 'public, no-cache';
      reply.header('etag', etag);
      reply.header('cache-control', isOwn(id) ? 'private, no-cache' : keeping);
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      const { bytes } = await services.figures.draw(
        { manifest, subset: undefined },
        { kind: 'category-umap' },
        { signal: request.clientGone, users: visitors, onProgress: () => undefined },
      );
      return reply.type('image/png').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  );
};

/** Throws the ApiFailure of opening the dataset. */
async function ownManifest(
  { access, readable }: Pick<ExploreServices, 'access' | 'readable'>,
  request: FastifyRequest,
  id: string,
): Promise<DatasetManifest> {
  return readable.manifest(await access.admit('explorer', credentialsOf(request), 'read'), id);
}

async function analyseDataset(
  manifest: DatasetManifest,
  { datasets, orthologues }: Pick<ExploreServices, 'datasets' | 'orthologues'>,
  displays: readonly CategoryDisplay[],
): Promise<DatasetAnalysis> {
  const dataset = await datasets.get(manifest);
  const { roles, processing } = manifest;
  const [cellTypeCounts, clusterCounts, metadata] = await Promise.all([
    countsOf(dataset, roles.cellType),
    countsOf(dataset, roles.cluster),
    metadataCounts(dataset, roles.metadata),
  ]);
  const ordered = <T>(entries: ReadonlyMap<string, T>, name: string | undefined) =>
    inDisplayOrder(
      entries,
      displays.find(({ column }) => column === name),
    );
  const cellTypes = listedCategories(ordered(cellTypeCounts, roles.cellType));
  const clusters = listedCategories(ordered(clusterCounts, roles.cluster));
  const fieldColumns = new Map(Object.entries(roles.metadata));
  const { fields, counts, leftOut } = listedFields(
    new Map([...metadata].map(([shown, values]) => [shown, ordered(values, fieldColumns.get(shown))])),
  );
  const genes = listedGenes(dataset.genes.symbols);
  const samples = await sampleColumn(dataset);
  const { species } = datasetSpecies(dataset);
  const cautions = leftOutCautions({
    cellTypes: cellTypes.leftOut,
    clusters: clusters.leftOut,
    fields: leftOut.length,
    genes: dataset.genes.symbols.length - genes.length,
  });
  return {
    dataset_filename: manifest.id,
    cell_types: [...cellTypes.counts.keys()],
    gene_library: genes,
    leiden_clusters: [...clusters.counts.keys()],
    patient_metadata: fields,
    patient_metadata_counts: counts,
    cell_type_counts: Object.fromEntries(cellTypes.counts),
    unlabelled_cells: cellTypeCounts.size === 0 ? 0 : unlabelledCells(cellTypeCounts, manifest.cellCount),
    leiden_cluster_counts: Object.fromEntries(clusters.counts),
    columns: {
      ...(roles.cellType !== undefined && { cell_types: roles.cellType }),
      ...(roles.cluster !== undefined && { leiden_clusters: roles.cluster }),
      patient_metadata: Array.from(fieldColumns, ([field, column]) => ({ field, column })),
    },
    cell_count: manifest.cellCount,
    gene_count: manifest.geneCount,
    ...(samples && { samples: samplesAnswer(samples) }),
    species: {
      name: species ?? null,
      mapped: species ? [...(await orthologues.mappedTo(species))] : [],
      named_as_human: namedAsHuman.has(species),
    },
    simulated: manifest.catalogue.simulated || undefined,
    raw_counts: manifest.expression.hasCounts,
    warnings: [...manifest.warnings, ...cautions],
    umap_url: umapUrl(manifest),
    ...(processing && { processing: { ...processing, computed: [...processing.computed] } }),
    version: manifest.version,
  };
}
