import {
  annotation,
  annotationChangeRequest,
  annotationImport,
  annotationList,
  annotationMove,
  annotationRename,
  columnTitle,
  datasetId,
  linkLabels,
  linkLabelsRequest,
  matchedAnnotation,
  newAnnotation,
} from '@cellfolio/contract';
import type { DatasetManifest } from '@cellfolio/store';
import { z } from 'zod';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { tabSessionOf } from '../../runtime/http/access.ts';
import { documentRoutes } from '../../runtime/http/document-routes.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { type Caller, type Owner, ownerOf } from '../../runtime/owners.ts';
import type { ReadableDatasets } from '../catalogue/index.ts';
import { type SelectionServices, subsetFilter, watched } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import type { Annotations } from './annotations.ts';
import type { LinkLabels } from './link-labels.ts';
import type { NumberColumns } from './number-columns.ts';
import { withColumnTerms } from './group-terms.ts';
import { changeLabels, type LookedUpChange } from './labels.ts';

export interface AnnotationServices extends SelectionServices {
  annotations: Annotations;
  numberColumns: NumberColumns;
  linkLabels: LinkLabels;
  readable: ReadableDatasets;
  masks: CellMasks;
}

const refusals = {
  404: 'No such dataset, annotation or revision.',
  409: 'The name is taken, the annotation has changed, or it is of another version of the dataset.',
};
/** A million lines with a barcode and a label. */
const tableBytes = 48 * 1024 * 1024;

const annotationRoutes: Route<AnnotationServices> = async (app, { services }) => {
  const { annotations, numberColumns, readable } = services;
  const routes = documentRoutes(app, {
    tag: 'annotations',
    all: '/api/datasets/:datasetFilename/annotations',
    one: '/api/annotations/:annotationId',
    id: z.uuid(),
    refusals,
    dataset: async ({ caller, owner }, { filename, id }) =>
      readable.manifest(caller, filename ?? (await annotations.datasetOf(owner, id))),
  });
  routes.list({
    summary: 'List your annotations of a dataset',
    answer: annotationList,
    run: async ({ owner, dataset }) => {
      const { id, version } = await dataset();
      const [labels, numbers] = await Promise.all([
        annotations.list(owner, id),
        numberColumns.list(owner, id),
      ]);
      return { version, annotations: labels, numbers };
    },
  });
  routes.create({
    summary: 'Begin an annotation, from a column or without labels',
    input: newAnnotation,
    answer: annotation,
    run: async ({ owner, dataset, request }, input) => {
      const manifest = await dataset();
      return watched(services, request, (call) => annotations.create({ owner, manifest }, input, call));
    },
  });
  routes.change({
    summary: 'Rename an annotation',
    input: annotationRename,
    answer: annotation,
    run: async ({ owner, id, dataset }, { name }) => annotations.rename(owner, id, await dataset(), name),
  });
  routes.remove({
    summary: 'Delete an annotation',
    answer: annotationList.pick({ annotations: true }).describe('Those that are left of the dataset.'),
    run: async ({ owner, id }) => ({
      annotations: await annotations.list(owner, await annotations.remove(owner, id)),
    }),
  });
  routes.onAll('from-link')({
    summary: 'Add the labels of a short link to your annotations',
    refusals: { 404: 'No such dataset or link.' },
    input: linkLabelsRequest,
    answer: linkLabels,
    run: async ({ owner, dataset }, { link }) =>
      services.linkLabels.take({ owner, manifest: await dataset() }, link),
  });
  routes.onOne('changes')({
    summary: 'Change the labels of an annotation',
    input: annotationChangeRequest,
    answer: annotation,
    run: async ({ caller, owner, id, dataset, request }, { revision, change: changeRequest }) => {
      const manifest = await dataset();
      return watched(services, request, async (call) => {
        const change = await lookedUp(services, { caller, owner, manifest }, changeRequest, call);
        return annotations.change({ owner, id, revision }, manifest, (labels) =>
          changeLabels(labels, change),
        );
      });
    },
  });
  routes.onOne('revision')({
    summary: 'Go back to a revision of an annotation, or forward again',
    input: annotationMove,
    answer: annotation,
    run: ({ owner, id }, { revision, to }) => annotations.move({ owner, id, revision }, to),
  });
  routes.onOne('carry-over')({
    summary: 'Carry the labels over to the current version of the dataset',
    input: annotationMove.pick({ revision: true }),
    answer: matchedAnnotation,
    run: async ({ owner, id, dataset, request }, { revision }) => {
      const manifest = await dataset();
      return watched(services, request, (call) =>
        annotations.carryOver({ owner, id, revision }, manifest, call),
      );
    },
  });
};

async function lookedUp(
  { annotations, masks, ownColumns, readable }: AnnotationServices,
  { caller, owner, manifest }: { caller: Caller; owner: Owner; manifest: DatasetManifest },
  request: z.output<typeof annotationChangeRequest>['change'],
  call: CallContext,
): Promise<LookedUpChange> {
  if (request.change !== 'label' && request.change !== 'assign') return request;
  const subset = request.cells && subsetFilter(request.cells);
  const own = await ownColumns.named(owner, manifest, request);
  const mask = await masks.maskOf({ manifest, subset, own }, call);
  const avoided = await annotations.coloursOfTypes(manifest);
  if (request.change === 'label') {
    const { change, within, group } = request;
    return { change, mask, of: subset?.subset_group_name ?? 'all cells', within, group, avoided };
  }
  const { change, column: name, groups, part } = request;
  if (part !== undefined) {
    const of = { owner, manifest: await readable.manifest(caller, part) };
    const ofPart = await annotations.columnOfPart(of, name, manifest, call);
    return { change, ...ofPart, groups: withColumnTerms(groups, ofPart.column), mask, avoided };
  }
  const column = await annotations.columnOf(owner, manifest, name);
  const title = columnTitle(name, own);
  return { change, column, title, groups: withColumnTerms(groups, column), mask, avoided };
}

const postImport: Route<AnnotationServices> = async (app, { services }) => {
  app.addContentTypeParser(
    ['text/csv', 'text/tab-separated-values'],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  );
  app.post(
    '/api/datasets/:datasetFilename/annotations/import',
    {
      config: { scope: 'label', refusals },
      bodyLimit: tableBytes,
      schema: {
        summary: 'Begin an annotation from a table of barcodes and labels',
        description:
          'The body is a CSV or TSV file: a barcode first, labels in the second column or the one that is named.',
        tags: ['annotations'],
        params: z.object({ datasetFilename: datasetId }),
        querystring: annotationImport,
        consumes: ['text/csv', 'text/tab-separated-values'],
        response: { 200: matchedAnnotation },
      },
    },
    async (request) => {
      const caller = tabSessionOf(request);
      const owner = ownerOf(caller);
      const manifest = await services.readable.manifest(caller, request.params.datasetFilename);
      const table: unknown = request.body;
      if (!(table instanceof Uint8Array)) {
        throw new ApiFailure(
          415,
          'unsupported_media_type',
          'Send the table as text/csv or text/tab-separated-values.',
        );
      }
      const { name, column } = request.query;
      return watched(services, request, (call) =>
        services.annotations.read({ owner, manifest }, { name, column, table }, call),
      );
    },
  );
};

export const annotationsRoutes = [annotationRoutes, postImport];
