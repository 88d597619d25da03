import { exportContents, exportContentsRequest, exportDatasetRequest } from '@cellfolio/contract';
import pMap from 'p-map';
import type { Compute } from '../../../runtime/compute/compute-pool.ts';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import { tabSessionOf } from '../../../runtime/http/access.ts';
import type { Route } from '../../../runtime/http/routes.ts';
import { nextTurn, streamAnswer } from '../../../runtime/http/stream-answer.ts';
import { attachment, type ExportingServices } from '../attachment.ts';
import { onActiveCells } from '../../selection/index.ts';
import type { DatasetExport, DatasetFile } from './dataset-export.ts';
import { bytesFrom } from './file-pieces.ts';
import { pieceSent } from './piece-memory.ts';

export interface DatasetExportServices extends ExportingServices {
  readonly datasetExport: DatasetExport;
  readonly compute: Pick<Compute, 'threads'>;
}

export const postExportContents: Route<DatasetExportServices> = async (app, { services }) => {
  app.post(
    '/api/export-dataset/contents',
    {
      schema: {
        summary: 'Describe the file of the active cells',
        description: 'Says what `POST /api/export-dataset` would answer, and about how long it would be.',
        tags: ['analyses'],
        body: exportContentsRequest,
        response: { 200: exportContents },
      },
    },
    async (request) => {
      const { body } = request;
      return onActiveCells(
        services,
        request,
        (selection, call) => services.datasetExport.contents(selection, body, call),
        { cells: body.cells, ...(body.annotations && { own: 'all' }) },
      );
    },
  );
};

export const postExportDataset: Route<DatasetExportServices> = async (app, { services }) => {
  app.post(
    '/api/export-dataset',
    {
      // Compressed, it would not be the bytes that `from` counts.
      compress: false,
      schema: {
        summary: 'Export the active cells as .h5ad',
        description:
          'Expression, raw counts, columns, embeddings, annotations and scores. The file is made while it is sent, and has a `Content-Length`. One that broke off is gone on with by `from` and `etag`.',
        tags: ['analyses'],
        body: exportDatasetRequest,
        produces: ['application/x-hdf5'],
      },
    },
    async (request, reply) => {
      const { body, clientGone: signal } = request;
      const { userId } = tabSessionOf(request);
      const leave = await services.exports.enter(userId, signal);
      try {
        const file = await onActiveCells(
          services,
          request,
          (selection, call) => services.datasetExport.prepare(selection, body, call),
          { cells: body.cells, ...(body.annotations && { own: 'all' }) },
        );
        checkResumed(file, body);
        const caller = { signal, users: () => [userId] };
        const pieces = bytesFrom(file, body.from, async (batch) => {
          const endTurn = await nextTurn(services.admission, userId, signal);
          try {
            return await pMap(batch, (piece) => piece.make(caller), {
              concurrency: services.compute.threads,
            });
          } finally {
            endTurn();
          }
        });
        return reply
          .type('application/x-hdf5')
          .header('content-disposition', attachment(file.fileName))
          .header('content-length', file.bytes - body.from)
          .header('etag', file.etag)
          .header('cache-control', 'no-store')
          .header('x-content-type-options', 'nosniff')
          .send(
            streamAnswer(request, reply, pieces, {
              onEnd: leave,
              onSent: pieceSent,
              othersWait: () => services.exports.isCrowded,
            }),
          );
      } catch (error) {
        leave();
        throw error;
      }
    },
  );
};

/** Throws ApiFailure 412 when the file has changed, 416 when the caller has all of its bytes already. */
function checkResumed(
  { etag, bytes }: DatasetFile,
  resume: { readonly from: number; readonly etag?: string | undefined },
): void {
  if (resume.etag !== undefined && resume.etag.replaceAll('"', '') !== etag.replaceAll('"', '')) {
    throw new ApiFailure(
      412,
      'export_changed',
      'The dataset, its cells or its annotations have changed since this download began. Start it again.',
    );
  }
  if (resume.from > bytes) {
    throw new ApiFailure(
      416,
      'export_too_short',
      `The file has ${bytes} bytes, fewer than the ${resume.from} to go on from. Start the download again.`,
    );
  }
}

export const datasetExportRoutes = [postExportContents, postExportDataset];
