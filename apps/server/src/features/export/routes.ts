import type { CellExport } from './cell-export.ts';
import { exportCellsRequest } from '@cellfolio/contract';
import type { TaskCaller } from '../../runtime/compute/compute-pool.ts';
import type { CellLines } from './cell-lines.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
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

/** The cells that the caller's tab has active, as a CSV file that is made while it is sent. */
export const postExportCells: Route<ExportServices> = async (app, { services }) => {
  const { genesPerCall } = services.limits;
  app.post(
    '/api/export-cells',
    {
      // It would be compressed by the threads that read files, at several times the work of making it.
      compress: false,
      schema: {
        summary: 'Export the active cells as CSV',
        description:
          'One line for each cell: barcode, columns of obs, coordinates, genes and scores. Lines that begin with `#` say what they are. The file is made while it is sent; a connection that ends before the file does is a failure.',
        tags: ['analyses'],
        body: exportCellsRequest,
        produces: ['text/csv'],
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
        // With the first lines: what fails there is refused as everywhere.
        const begun = await onActiveCells(
          services,
          request,
          async (selection, waiting) => {
            const table = await services.cellExport.prepare(selection, body, waiting);
            return { table, first: await table.linesFrom(0, waiting) };
          },
          body.metadata ? { own: 'all' } : {},
        );
        const turn = () => nextTurn(services.admission, userId, signal);
        const { fileName } = begun.table;
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', attachment(fileName))
          .header('x-content-type-options', 'nosniff')
          .send(
            streamAnswer(request, reply, piecesOf(begun, turn, { signal, users: () => [userId] }), {
              onEnd: leave,
            }),
          );
      } catch (error) {
        leave();
        throw error;
      }
    },
  );
};

/** Each piece is made when the one before is taken, in a turn of its own: who takes long holds none. */
async function* piecesOf(
  { table, first }: { table: CellTable; first: CellLines },
  turn: () => Promise<() => void>,
  caller: TaskCaller,
): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(table.head);
  yield first.bytes;
  for (let cell = first.next; cell < table.end;) {
    const leave = await turn();
    let made: CellLines;
    try {
      made = await table.linesFrom(cell, caller);
    } finally {
      leave();
    }
    cell = made.next;
    yield made.bytes;
  }
}

export const exportRoutes = [postExportCells, ...datasetExportRoutes];
