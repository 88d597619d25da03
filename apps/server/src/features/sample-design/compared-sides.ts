import { type ComparisonParameters, isOfSums } from '@cellfolio/analysis/parameters';
import { areSidesOfTypes } from '@cellfolio/analyses';
import { type CellMask, isOfExpression, typeColumn, countText, plural, quotedHead } from '@cellfolio/model';
import type { ComparedCells } from '@cellfolio/analysis';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import { datasetOf, type Selection, type SubsetFilter, subsetFilter } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { FoundSides, SidesTask } from './tasks.ts';

export interface SideDeps {
  compute: Compute;
  masks: CellMasks;
}

interface SideQuestion {
  selection: Selection;
  parameters: Pick<ComparisonParameters, 'a' | 'b' | 'within' | 'unassigned' | 'min_cells'> & {
    /** Absent where shares are compared, and not genes. */
    method?: ComparisonParameters['method'];
  };
  samples: SampleColumn | undefined;
}

/**
 * The active cells of A and B, or those of `ends` if given. Throws ApiFailure 422 for sets that share cells or have too
 * few, before the matrix is read.
 */
export async function findSides(
  { compute, masks }: SideDeps,
  { selection, parameters, samples }: SideQuestion,
  call: CallContext,
  ends?: { readonly a: CellMask; readonly b: CellMask },
): Promise<Extract<FoundSides, { shared: 0 }>> {
  const { within, unassigned, method, min_cells: minCells } = parameters;
  call.onProgress({ stage: 'Finding the cells', done: 0, total: 1 });
  /** Undefined for all cells. */
  const setOf = async ({ filter }: ComparisonParameters['a']) => {
    const subset = subsetFilter(filter);
    return subset && (await masks.measure({ ...selection, subset }, call)).mask;
  };
  const mask = await masks.maskOf(selection, call);
  const a = ends ? ends.a : await setOf(parameters.a);
  const b = ends ? ends.b : parameters.b && (await setOf(parameters.b));
  const sidesResult = await compute.run<SidesTask>(
    {
      kind: 'compare-sides',
      dataset: datasetOf(selection),
      mask,
      a: a ?? allCells(selection),
      b: b ?? (parameters.b && allCells(selection)),
      within,
      unassigned,
      samples,
      types: ends || method === undefined ? undefined : columnOfTypes(selection, parameters),
      isOfSamples: method !== undefined && isOfSums(method),
      others: columnsOfSets(selection, parameters),
      minCells,
    },
    call,
  );
  if (!('compared' in sidesResult)) throw sharedRefusal(parameters, sidesResult.shared);
  if (sidesResult.compared.parts.length === 0) throw tooFew(parameters, sidesResult.compared);
  return sidesResult;
}

export function columnsOf({ manifest: { roles } }: Selection, filter: SubsetFilter): string[] {
  const fields = new Map(Object.entries(roles.metadata));
  const metadata = filter.patient_metadata_filter ? Object.keys(filter.patient_metadata ?? {}) : [];
  const named = metadata.map((field) => fields.get(field) ?? field);
  return filter.cell_type_filter && roles.cellType ? [roles.cellType, ...named] : named;
}

export function columnsOfSets(
  selection: Selection,
  { a, b }: Pick<ComparisonParameters, 'a' | 'b'>,
): string[] {
  return [...new Set([a, ...(b ? [b] : [])].flatMap(({ filter }) => columnsOf(selection, filter)))];
}

/** The column of types that the sides may be of, beside what is compared; undefined where types are what is compared. */
function columnOfTypes(
  { manifest, own = [] }: Selection,
  { a, b, within }: SideQuestion['parameters'],
): string | undefined {
  const fields = new Map(Object.entries(manifest.roles.metadata));
  const isOfTypes = (field: string) => {
    const column = fields.get(field) ?? field;
    // Labels of one's own say which cells are of a kind, as a rule.
    return isOfExpression(manifest, column) || own.some(({ name }) => name === column);
  };
  const isWithinTypes = within !== undefined && isOfTypes(within);
  return isWithinTypes || areSidesOfTypes(a.filter, b?.filter, isOfTypes) ? undefined : typeColumn(manifest);
}

function allCells({ manifest: { cellCount } }: Selection): CellMask {
  return { bits: new Uint8Array(cellCount).fill(1), count: cellCount };
}

function sharedRefusal({ a, b }: Pick<ComparisonParameters, 'a' | 'b'>, shared: number): ApiFailure {
  const cells = plural(shared, 'active cell is', 'active cells are');
  return new ApiFailure(
    422,
    'sets_overlap',
    `${cells} in both ${quotedHead(a.name, 80)} and ${quotedHead(b?.name ?? '', 80)}: each cell can be on one side only. Choose sets that share no cell; Compare Cell Sets can save each set without the shared cells.`,
    { details: [{ field: 'b', problem: `shares ${shared} cells with a` }] },
  );
}

function tooFew(
  { a, b, within, min_cells: minCells }: Pick<ComparisonParameters, 'a' | 'b' | 'within' | 'min_cells'>,
  { leftOut, unlabelled }: ComparedCells,
) {
  const [inA, inB] = [
    leftOut.reduce((sum, part) => sum + part.a, 0),
    leftOut.reduce((sum, part) => sum + part.b, 0),
  ];
  const counts = `Of the active cells, ${countText(inA)} are in ${quotedHead(a.name, 80)} and ${countText(inB)} in ${b ? quotedHead(b.name, 80) : 'the rest'}`;
  const where =
    within === undefined
      ? counts
      : `${counts}${unlabelled > 0 ? ` (${countText(unlabelled)} more have no value in ${quotedHead(within, 80)})` : ''}, but no group of ${quotedHead(within, 80)} has ${minCells} of both`;
  return new ApiFailure(
    422,
    'too_few_cells',
    `${where}. A comparison needs at least ${minCells} cells on each side: choose larger sets, ${within === undefined ? 'or a larger subset' : 'a larger subset, or all cells together'}.`,
  );
}
