import type { CellExport } from './cell-export.ts';
import { exportCellsRequest } from '@cellfolio/contract';
import type { TaskCaller } from '../../runtime/compute/compute-pool.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { WrittenCells } from './cell-columns.ts';
import type { CellTable } from './cell-export.ts';
import { tabSessionOf } from '../../runtime/http/access.ts';
import { nextTurn, streamAnswer } from '../../runtime/http/stream-answer.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells } from '../selection/index.ts';
import { attachment, type ExportingServices } from './attachment.ts';
import { datasetExportRoutes } from './dataset/routes.ts';

export interface ExportServices extends ExportingServices {
  readonly cellExport: CellExport;
  readonly limits: { readonly genesPerCall: number };
}

export const postExportCells: Route<ExportServices> = async (app, { services }) => {
  const { genesPerCall } = services.limits;
  app.post(
    '/api/export-cells',
    {
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
          `${body.genes.length} genes were asked for; at most ${genesPerCall} can be exported at once.`,
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
          { cells: body.cells, ...(body.metadata && { own: 'all' }) },
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

export const exportRoutes = [postExportCells, ...datasetExportRoutes];
