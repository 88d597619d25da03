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
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { tabSessionOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { ReadableDatasets } from '../catalogue/index.ts';
import { type SelectionServices, subsetFilter, watched } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import type { Annotations } from './annotations.ts';
import type { LinkLabels } from './link-labels.ts';
import type { NumberColumns } from './number-columns.ts';
import { changeLabels, type LookedUpChange } from './labels.ts';

export interface AnnotationServices extends SelectionServices {
  annotations: Annotations;
  numberColumns: NumberColumns;
  linkLabels: LinkLabels;
  readable: ReadableDatasets;
  masks: CellMasks;
}

const tags = ['annotations'];
const config = {
  refusals: {
    404: 'No such dataset, annotation or revision.',
    409: 'The name is taken, the annotation has changed, or it is of another version of the dataset.',
  },
};
const ofDataset = z.object({ datasetFilename: datasetId });
const one = z.object({ annotationId: z.uuid() });
/** A million lines with a barcode and a label. */
const tableBytes = 48 * 1024 * 1024;

/** The annotation and dataset of a call, with the caller's access checked. Throws ApiFailure 404. */
async function annotated({ annotations, readable }: AnnotationServices, request: FastifyRequest, id: string) {
  const { userId } = tabSessionOf(request);
  const manifest = await readable.manifest(userId, await annotations.datasetOf(userId, id));
  return { userId, manifest };
}

const getAnnotations: Route<AnnotationServices> = async (app, { services }) => {
  app.get(
    '/api/datasets/:datasetFilename/annotations',
    {
      config,
      schema: {
        summary: 'List one’s own annotations of a dataset',
        tags,
        params: ofDataset,
        response: { 200: annotationList },
      },
    },
    async (request) => {
      const { userId } = tabSessionOf(request);
      const { id, version } = await services.readable.manifest(userId, request.params.datasetFilename);
      const [annotations, numbers] = await Promise.all([
        services.annotations.list(userId, id),
        services.numberColumns.list(userId, id),
      ]);
      return { version, annotations, numbers };
    },
  );
};

const postAnnotation: Route<AnnotationServices> = async (app, { services }) => {
  app.post(
    '/api/datasets/:datasetFilename/annotations',
    {
      config,
      schema: {
        summary: 'Begin an annotation, from a column or without labels',
        tags,
        params: ofDataset,
        body: newAnnotation,
        response: { 200: annotation },
      },
    },
    async (request) => {
      const { userId } = tabSessionOf(request);
      const manifest = await services.readable.manifest(userId, request.params.datasetFilename);
      return watched(services, request, (call) =>
        services.annotations.create({ userId, manifest }, request.body, call),
      );
    },
  );
};

const postImport: Route<AnnotationServices> = async (app, { services }) => {
  app.addContentTypeParser(
    ['text/csv', 'text/tab-separated-values'],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  );
  app.post(
    '/api/datasets/:datasetFilename/annotations/import',
    {
      config,
      bodyLimit: tableBytes,
      schema: {
        summary: 'Begin an annotation from a table of barcodes and labels',
        description:
          'The body is a CSV or TSV file: a barcode first, labels in the second column or the one that is named.',
        tags,
        params: ofDataset,
        querystring: annotationImport,
        consumes: ['text/csv', 'text/tab-separated-values'],
        response: { 200: matchedAnnotation },
      },
    },
    async (request) => {
      const { userId } = tabSessionOf(request);
      const manifest = await services.readable.manifest(userId, request.params.datasetFilename);
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
        services.annotations.read({ userId, manifest }, { name, column, table }, call),
      );
    },
  );
};

const postFromLink: Route<AnnotationServices> = async (app, { services }) => {
  app.post(
    '/api/datasets/:datasetFilename/annotations/from-link',
    {
      config: { refusals: { 404: 'No such dataset or link.' } },
      schema: {
        summary: 'Add the labels that came with a short link to one’s own annotations',
        tags,
        params: ofDataset,
        body: linkLabelsRequest,
        response: { 200: linkLabels },
      },
    },
    async (request) => {
      const { userId } = tabSessionOf(request);
      const manifest = await services.readable.manifest(userId, request.params.datasetFilename);
      return services.linkLabels.take({ userId, manifest }, request.body.link);
    },
  );
};

const patchAnnotation: Route<AnnotationServices> = async (app, { services }) => {
  app.patch(
    '/api/annotations/:annotationId',
    {
      config,
      schema: {
        summary: 'Rename an annotation',
        tags,
        params: one,
        body: annotationRename,
        response: { 200: annotation },
      },
    },
    async (request) => {
      const { annotationId: id } = request.params;
      const { userId, manifest } = await annotated(services, request, id);
      return services.annotations.rename(userId, id, manifest, request.body.name);
    },
  );
};

const deleteAnnotation: Route<AnnotationServices> = async (app, { services }) => {
  app.delete(
    '/api/annotations/:annotationId',
    {
      config,
      schema: {
        summary: 'Delete an annotation',
        tags,
        params: one,
        response: {
          200: annotationList.pick({ annotations: true }).describe('Those that are left of the dataset.'),
        },
      },
    },
    async (request) => {
      const { userId } = tabSessionOf(request);
      const dataset = await services.annotations.remove(userId, request.params.annotationId);
      return { annotations: await services.annotations.list(userId, dataset) };
    },
  );
};

const postChange: Route<AnnotationServices> = async (app, { services }) => {
  app.post(
    '/api/annotations/:annotationId/changes',
    {
      config,
      schema: {
        summary: 'Change the labels of an annotation',
        tags,
        params: one,
        body: annotationChangeRequest,
        response: { 200: annotation },
      },
    },
    async (request) => {
      const { annotationId: id } = request.params;
      const { revision, change: changeRequest } = request.body;
      const { userId, manifest } = await annotated(services, request, id);
      return watched(services, request, async (call) => {
        const change = await lookedUp(services, { userId, manifest }, changeRequest, call);
        return services.annotations.change({ userId, id, revision }, manifest, (labels) =>
          changeLabels(labels, change),
        );
      });
    },
  );
};

async function lookedUp(
  { annotations, masks, ownColumns, readable }: AnnotationServices,
  { userId, manifest }: Awaited<ReturnType<typeof annotated>>,
  request: z.output<typeof annotationChangeRequest>['change'],
  call: CallContext,
): Promise<LookedUpChange> {
  if (request.change !== 'label' && request.change !== 'assign') return request;
  const subset = request.cells && subsetFilter(request.cells);
  const own = await ownColumns.named(userId, manifest, request);
  const mask = await masks.maskOf({ manifest, subset, own }, call);
  const avoided = await annotations.coloursOfTypes(manifest);
  if (request.change === 'label') {
    const { change, within, group } = request;
    return { change, mask, of: subset?.subset_group_name ?? 'all cells', within, group, avoided };
  }
  const { change, column: name, groups, part } = request;
  if (part !== undefined) {
    const of = { userId, manifest: await readable.manifest(userId, part) };
    return { change, ...(await annotations.columnOfPart(of, name, manifest, call)), groups, mask, avoided };
  }
  const column = await annotations.columnOf(userId, manifest, name);
  return { change, column, title: columnTitle(name, own), groups, mask, avoided };
}

const postRevision: Route<AnnotationServices> = async (app, { services }) => {
  app.post(
    '/api/annotations/:annotationId/revision',
    {
      config,
      schema: {
        summary: 'Go back to a revision of an annotation, or forward again',
        tags,
        params: one,
        body: annotationMove,
        response: { 200: annotation },
      },
    },
    async (request) => {
      const { userId } = tabSessionOf(request);
      const { revision, to } = request.body;
      return services.annotations.move({ userId, id: request.params.annotationId, revision }, to);
    },
  );
};

const postCarryOver: Route<AnnotationServices> = async (app, { services }) => {
  app.post(
    '/api/annotations/:annotationId/carry-over',
    {
      config,
      schema: {
        summary: 'Carry the labels over to the current version of the dataset',
        tags,
        params: one,
        body: annotationMove.pick({ revision: true }),
        response: { 200: matchedAnnotation },
      },
    },
    async (request) => {
      const { annotationId: id } = request.params;
      const { userId, manifest } = await annotated(services, request, id);
      return watched(services, request, (call) =>
        services.annotations.carryOver({ userId, id, revision: request.body.revision }, manifest, call),
      );
    },
  );
};

export const annotationsRoutes = [
  getAnnotations,
  postAnnotation,
  postImport,
  postFromLink,
  patchAnnotation,
  deleteAnnotation,
  postChange,
  postRevision,
  postCarryOver,
];
