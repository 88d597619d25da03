import { type exportCellsRequest, filterWords } from '@cellfolio/contract';
import { type Caution, type CellMask, countText, listedNames } from '@cellfolio/model';
import type { ScoreChoice } from '@cellfolio/figures';
import type { z } from 'zod';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedScores } from '../scores/index.ts';
import type { Selection } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';

export interface ExportDeps {
  compute: Compute;
  datasets: OpenDatasets;
  masks: CellMasks;
  scores: NamedScores;
}

export interface Score {
  name: string;
  values: Float64Array;
  notes: readonly string[];
}

export interface ExportedCells {
  /** Undefined for all cells. */
  mask: CellMask | undefined;
  cellCount: number;
  scores: readonly Score[];
}

/** The cells of a selection, and the scores of them that a request for a file names. Throws what subsets and scoring throw. */
export async function exportedCells(
  { masks, scores: named }: Pick<ExportDeps, 'masks' | 'scores'>,
  selection: Selection,
  { signature, cell_state: state }: Pick<z.output<typeof exportCellsRequest>, 'signature' | 'cell_state'>,
  call: CallContext,
): Promise<ExportedCells> {
  const mask = await masks.maskOf(selection, call);
  const choices: ScoreChoice[] = [
    ...(signature ? [{ of: 'signature' as const, ...signature }] : []),
    ...(state ? [{ of: 'cell-state' as const, ...state }] : []),
  ];
  const scores: Score[] = [];
  for (const choice of choices) {
    const { title, scores: values, rows, missing, cautions } = await named.of(selection, choice, call);
    scores.push({ name: title, values, notes: scoreNotes(title, rows.length, missing, cautions) });
  }
  return { mask, cellCount: mask?.count ?? selection.manifest.cellCount, scores };
}

/** Makes names unique: a gene may have the name of a column of obs. */
export function distinct(names: readonly string[]): string[] {
  const usedNames = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let n = 2; usedNames.has(own); n++) own = `${name} (${n})`;
    usedNames.add(own);
    return own;
  });
}

function scoreNotes(
  name: string,
  geneCount: number,
  missing: readonly string[],
  cautions: readonly Caution[],
): string[] {
  const without = missing.length === 0 ? '' : `, without ${listedNames(missing)}`;
  return [
    `Score ${JSON.stringify(name)}: score_genes on these cells, of ${countText(geneCount)} genes${without}`,
    ...cautions.map(({ message }) => message),
  ];
}

export function cellsText({ manifest, subset }: Selection, cellCount: number): string {
  const of = countText(manifest.cellCount);
  return subset
    ? `${countText(cellCount)} of ${of}, the subset ${JSON.stringify(subset.subset_group_name)}: ${filterWords(subset)}`
    : `all ${of}`;
}

/** '<dataset>-<subset>-<ending>', with characters that every file system accepts. */
export function fileNameOf({ manifest, subset }: Selection, ending: string): string {
  const parts = [manifest.catalogue.name, subset?.subset_group_name ?? 'all'];
  return `${parts.map(safe).join('-')}-${ending}`;
}

function safe(part: string): string {
  return part
    .toWellFormed()
    .replace(/[^\p{L}\p{N}.-]+/gu, '_')
    .slice(0, 80)
    .toWellFormed()
    .replace(/^[_.]+|[_.\uFFFD]+$/g, '');
}
