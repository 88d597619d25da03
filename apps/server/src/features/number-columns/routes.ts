import { datasetId, newNumberColumn, numberColumn } from '@cellfolio/contract';
import { z } from 'zod';
import { tabSessionOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { NumberColumns } from '../annotations/index.ts';
import { datasetReplaced, type ReadableDatasets } from '../catalogue/index.ts';
import type { FigureService } from '../explore/index.ts';
import { type SelectionServices, subsetFilter, watched } from '../selection/index.ts';
import { ownerOf } from '../../runtime/owners.ts';

export interface NumberColumnServices extends SelectionServices {
  readable: ReadableDatasets;
  figures: Pick<FigureService, 'cellNumbers'>;
  numberColumns: NumberColumns;
}

const postNumberColumn: Route<NumberColumnServices> = async (app, { services }) => {
  app.post(
    '/api/datasets/:datasetFilename/number-columns',
    {
      config: {
        scope: 'label',
        refusals: {
          404: 'The dataset does not exist, or labels that the source names are no longer available.',
          409: 'The name is taken, the limit is reached, or the result belongs to another version of the dataset.',
        },
      },
      schema: {
        summary: 'Keep the numbers that a map of a result colors its cells by as a column',
        tags: ['annotations'],
        params: z.object({ datasetFilename: datasetId }),
        body: newNumberColumn,
        response: { 200: numberColumn },
      },
    },
    async (request) => {
      const { name, source } = request.body;
      const caller = tabSessionOf(request);
      const owner = ownerOf(caller);
      const manifest = await services.readable.manifest(caller, request.params.datasetFilename);
      if (source.version !== undefined && source.version !== manifest.version) {
        throw datasetReplaced(manifest, 'this result was computed. Run it again.');
      }
      const subset = source.subset && subsetFilter(source.subset);
      const own = source.annotations
        ? await services.ownColumns.storedColumns(owner, manifest, source.annotations)
        : await services.ownColumns.named(owner, manifest, [source.content, subset]);
      return watched(services, request, async (call) => {
        const { values, words } = await services.figures.cellNumbers(
          { manifest, subset, own },
          source.content,
          call,
        );
        const ofCells = subset === undefined ? words : `${words}, in ${subset.subset_group_name}`;
        return services.numberColumns.add({ owner, manifest, name }, { values, words: ofCells });
      });
    },
  );
};

export const numberColumnRoutes = [postNumberColumn];
