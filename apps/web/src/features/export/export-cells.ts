import type { DatasetAnalysis, ExportCellsRequest } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';
import { anyFile } from '@/lib/api-client.ts';
import { plotFailure } from '@/lib/call-failure.ts';
import { fileNamePart } from '@/lib/files.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';

/**
 * The active cells as a CSV file. The call carries headers that no link can carry, so the file comes through the page, as
 * a Blob, which browsers keep on the disk where it is long; progress tells bytes. @throws {CallFailed}
 */
export async function exportCells(
  api: ApiClient,
  request: ExportCellsRequest,
  { signal, onProgress }: CallHandle,
): Promise<Blob> {
  try {
    return await api({
      path: '/api/export-cells',
      body: request,
      answer: anyFile,
      expects: 'file',
      signal,
      onBytes: (received) => onProgress({ stage: 'Downloading', done: received, total: received }),
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw plotFailure('Failed to export the cells', cause);
  }
}

/** '<dataset>-<subset>-cells.csv', as the server calls it. */
export function cellsFileName(dataset: string, subset: string | null): string {
  return `${fileNamePart(dataset)}-${fileNamePart(subset ?? 'all')}-cells.csv`;
}

/** Bytes of a barcode, a label of metadata, a coordinate, a value of a gene, most of which are 0, and a score. */
const usualBytes = { barcode: 22, label: 9, coordinate: 11, gene: 5, score: 12 };

/** How long the file will be, in bytes; the columns that the page does not know of are not in it. */
export function roughSize(
  cells: number,
  { patient_metadata, cell_types, leiden_clusters }: DatasetAnalysis,
  { genes = [], metadata = true, coordinates = true, signature, cell_state }: ExportCellsRequest,
): number {
  const roles = [cell_types, leiden_clusters].filter(({ length }) => length > 0).length;
  const labels = metadata ? Object.keys(patient_metadata).length + roles : 0;
  const scores = [signature, cell_state].filter((score) => score !== undefined).length;
  const { barcode, label, coordinate, gene, score } = usualBytes;
  const columns = labels * label + (coordinates ? 2 * coordinate : 0) + genes.length * gene + scores * score;
  return cells * (barcode + columns);
}
