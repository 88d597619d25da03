import {
  exportCellsRequest,
  exportContents,
  exportContentsRequest,
  exportDatasetRequest,
} from '@cellfolio/contract';
import pMap from 'p-map';
import type { TaskCaller, Compute } from '../../runtime/compute/compute-pool.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { tabSessionOf } from '../../runtime/http/access.ts';
import { nextTurn, streamAnswer } from '../../runtime/http/stream-answer.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells } from '../selection/index.ts';
import type { CellExport, CellTable } from './cell-export.ts';
import type { WrittenCells } from './cell-columns.ts';
import { assetRoutes } from './asset-routes.ts';
import { attachment, type ExportingServices } from './attachment.ts';
import type { DatasetExport, DatasetFile } from './dataset/dataset-export.ts';
import { bytesFrom } from './dataset/file-pieces.ts';
import { pieceSent } from './dataset/piece-memory.ts';

export interface DatasetExportServices extends ExportingServices {
  datasetExport: DatasetExport;
  compute: Pick<Compute, 'threads'>;
}

const postExportContents: Route<DatasetExportServices> = async (app, { services }) => {
  app.post(
    '/api/export-dataset/contents',
    {
      config: { scope: 'export' },
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
        { dataset: body.dataset, cells: body.cells, ...(body.annotations && { own: 'all' }) },
      );
    },
  );
};

const postExportDataset: Route<DatasetExportServices> = async (app, { services }) => {
  app.post(
    '/api/export-dataset',
    {
      config: { scope: 'export' },
      // Compressed, it would not be the bytes that `from` counts.
      compress: false,
      schema: {
        summary: 'Export the active cells as .h5ad',
        description:
          'Expression, raw counts, columns, embeddings, annotations and scores. The file is streamed while it is made, with a `Content-Length`. Resume an interrupted download with `from` and `etag`.',
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
          { dataset: body.dataset, cells: body.cells, ...(body.annotations && { own: 'all' }) },
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
  resume: { from: number; etag?: string | undefined },
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
      `The file has ${bytes} bytes, so the download cannot resume at byte ${resume.from}. Start it again.`,
    );
  }
}

const datasetExportRoutes = [postExportContents, postExportDataset];

export interface ExportServices extends ExportingServices {
  cellExport: CellExport;
  limits: { genesPerCall: number };
}

export const postExportCells: Route<ExportServices> = async (app, { services }) => {
  const { genesPerCall } = services.limits;
  app.post(
    '/api/export-cells',
    {
      config: { scope: 'export' },
      // It would be compressed by the threads that read files, at several times the work of making it.
      compress: false,
      schema: {
        summary: 'Export the active cells as a table',
        description:
          'One line for each cell: barcode, columns of obs, coordinates, genes and scores. What they are is said in lines that begin with `#`, and in the metadata of Parquet. The file is made while it is sent; a connection that ends before the file does is a failure.',
        tags: ['analyses'],
        body: exportCellsRequest,
        produces: ['text/csv', 'application/vnd.apache.parquet'],
      },
    },
    async (request, reply) => {
      const { body, clientGone: signal } = request;
      if (body.genes.length > genesPerCall) {
        throw new ApiFailure(
          400,
          'too_many_genes',
          `${body.genes.length} genes were requested; at most ${genesPerCall} can be exported at once.`,
          { details: { limit: genesPerCall } },
        );
      }
      const { userId } = tabSessionOf(request);
      const leave = await services.exports.enter(userId, signal);
      try {
        // With the first cells: what fails there is refused as everywhere.
        const begun = await onActiveCells(
          services,
          request,
          async (selection, call) => {
            const table = await services.cellExport.prepare(selection, body, call);
            return { table, first: await table.pieceFrom(0, call) };
          },
          { dataset: body.dataset, cells: body.cells, ...(body.metadata && { own: 'all' }) },
        );
        const turn = () => nextTurn(services.admission, userId, signal);
        const { fileName, contentType } = begun.table;
        return reply
          .type(contentType)
          .header('content-disposition', attachment(fileName))
          .header('x-content-type-options', 'nosniff')
          .send(
            streamAnswer(request, reply, piecesOf(begun, turn, { signal, users: () => [userId] }), {
              onEnd: leave,
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

/** Each piece is made when the previous one is consumed, in its own turn, so that a slow client holds none. */
async function* piecesOf(
  { table, first }: { table: CellTable; first: WrittenCells },
  turn: () => Promise<() => void>,
  caller: TaskCaller,
): AsyncGenerator<Uint8Array> {
  yield table.head;
  yield first.bytes;
  for (let cell = first.next; cell < table.end;) {
    const leave = await turn();
    let piece: WrittenCells;
    try {
      piece = await table.pieceFrom(cell, caller);
    } finally {
      leave();
    }
    cell = piece.next;
    yield piece.bytes;
  }
  yield table.foot();
}

export const exportRoutes = [postExportCells, ...datasetExportRoutes, ...assetRoutes];
