import { csvCell } from '@cellfolio/contract';
import { stringAt, termColumnOf } from '@cellfolio/model';
import type { Database } from '@cellfolio/platform';
import { currentStates } from './annotation-states.ts';
import { unpackBarcodes } from './packed-barcodes.ts';
import { type PackedLabels, unpackedCodes, unpackedNumbers } from './packed-codes.ts';
import type { Owner } from '../../runtime/owners.ts';

export interface AnnotationFile {
  id: string;
  name: string;
  datasetId: string;
  /** CSV with a line for each cell that has a value. */
  lines: Iterable<string>;
}

interface AnnotationRow extends PackedLabels {
  name: string;
  dataset_id: string;
  numbers: boolean;
  barcodes: Buffer | null;
}

/**
 * All annotations of a user, one in memory at a time. Cells are named by their barcode where it is stored, else by
 * their index.
 */
export async function* annotationFiles(
  { pool }: Pick<Database, 'pool'>,
  owner: Owner,
): AsyncGenerator<AnnotationFile> {
  const { rows: all } = await pool.query<{ id: string }>(
    `select a.id from ${currentStates} where a.owner_id = $1 order by a.created_at, a.id`,
    [owner],
  );
  for (const { id } of all) {
    const { rows } = await pool.query<AnnotationRow>(
      `select a.name, a.dataset_id, (r.body -> 'numbers')::boolean as numbers, r.body -> 'groups' as groups,
         r.bytes as codes, v.barcodes
       from ${currentStates}
       left join cellfolio.annotated_versions v on v.dataset_id = a.dataset_id and v.version = r.body ->> 'version'
       where a.owner_id = $1 and a.id = $2`,
      [owner, id],
    );
    const [row] = rows;
    if (!row) continue;
    yield { id, name: row.name, datasetId: row.dataset_id, lines: await linesOf(row) };
  }
}

async function linesOf({ numbers, barcodes, ...labels }: AnnotationRow): Promise<Iterable<string>> {
  const values = numbers ? await unpackedNumbers(labels.codes) : await unpackedCodes(labels);
  const names = barcodes && unpackBarcodes(barcodes);
  const valueAt = (cell: number): string | number | undefined => {
    const value = values[cell]!;
    return numbers ? (Number.isNaN(value) ? undefined : value) : labels.groups[value]?.name;
  };
  const hasIds = labels.groups.some(({ term }) => term);
  const idAt = (cell: number) => (hasIds ? `,${csvCell(labels.groups[values[cell]!]?.term?.id ?? '')}` : '');
  return (function* () {
    const heading = numbers ? 'value' : 'label';
    yield `${names ? 'barcode' : 'cell'},${heading}${hasIds ? `,${termColumnOf(heading)}` : ''}\n`;
    for (let cell = 0; cell < values.length; cell++) {
      const value = valueAt(cell);
      if (value === undefined) continue;
      yield `${csvCell(names ? stringAt(names, cell) : cell)},${csvCell(value)}${idAt(cell)}\n`;
    }
  })();
}
