import { figureFileQuery, type GeneSummary, geneSummary, geneSummaryFormats } from '@cellfolio/contract';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { tabSessionOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { type TurnServices, watched } from '../selection/index.ts';
import { geneByDataset, type DrawByDatasetTask, summaryCsv } from './summary-files.ts';
import type { GeneFinder } from './gene-finder.ts';

export interface GeneFinderServices extends TurnServices {
  geneFinder: Pick<GeneFinder, 'find'>;
  compute: Pick<Compute, 'run'>;
}

const gene = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .describe('A symbol or an Ensembl id. An exact match comes first; without one, case is ignored.');

async function summary<T>(
  services: GeneFinderServices,
  request: FastifyRequest,
  gene: string,
  use: (summary: GeneSummary, call: CallContext) => T | Promise<T>,
): Promise<T> {
  return watched(services, request, async (call) =>
    use(await services.geneFinder.find(tabSessionOf(request), gene, call), call),
  );
}

const getGeneSummary: Route<GeneFinderServices> = async (app, { services }) => {
  app.get(
    '/api/gene-summary',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'Summarize a gene by cell type in all datasets of the catalog and of your own files',
        tags: ['datasets'],
        querystring: z.object({ gene }),
        response: { 200: geneSummary },
      },
    },
    async (request) => summary(services, request, request.query.gene, (result) => result),
  );
};

const mediaTypes = {
  png: 'image/png',
  'png-300dpi': 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
} as const;

/**
 * The gene summary as a figure for slides (`png`), print (`png-300dpi`, `pdf`) or editing (`svg`), its numbers (`csv`), or
 * the sizes of its figure's files (`json`).
 */
const getGeneSummaryFile: Route<GeneFinderServices> = async (app, { services }) => {
  app.get(
    '/api/gene-summary-file',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'Download a gene by cell type in all datasets as a figure or a table',
        tags: ['datasets'],
        querystring: figureFileQuery.extend({ gene, format: z.enum(geneSummaryFormats).default('png') }),
        produces: [...new Set(Object.values(mediaTypes).map((type) => type.split(';')[0]!))],
      },
    },
    async (request, reply) => {
      const { gene: geneName, format, title, title_block, width_mm: widthMm } = request.query;
      const layout = { title, titleBlock: title_block === 'true', widthMm };
      const file = await summary(services, request, geneName, async (result, call) => {
        if (result.datasets.length === 0) {
          throw new ApiFailure(
            400,
            'gene_not_found',
            `None of the datasets has a gene ${JSON.stringify(geneName)}.`,
          );
        }
        if (format === 'csv') return Buffer.from(summaryCsv(result));
        const bytes = await services.compute.run<DrawByDatasetTask>(
          { kind: 'draw-by-dataset', isLong: true, input: geneByDataset(result), format, layout },
          call,
        );
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      });
      return reply.type(mediaTypes[format]).header('x-content-type-options', 'nosniff').send(file);
    },
  );
};

export const geneFinderRoutes = [getGeneSummary, getGeneSummaryFile];
