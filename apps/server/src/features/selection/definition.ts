import { csvJson, type FilterAnswer, filterWords } from '@cellfolio/contract';
import {
  type CellMask,
  countText,
  mapNumbersOf,
  type ResultCaution as Caution,
  resultNotes,
  type ResultNotes,
} from '@cellfolio/model';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { software } from '../../runtime/software.ts';
import { type Selection, subsetFilter, type SubsetFilter } from './selection.ts';

type Kept = FilterAnswer['kept'];

/** The API call that made a file, such as `perform-marker-analysis`, and its fields. */
export interface Made {
  call: string;
  parameters: object;
}

/**
 * Everything needed to reproduce a file: the dataset and its version, its cells, the user's own columns, and the call
 * with all its fields. Of the processing, only what determines clusters and map; the rest is in the dataset.
 */
export function definitionOf({ manifest, subset, own }: Selection, { call, parameters }: Made) {
  const { id, version, catalogue, processing } = manifest;
  const { batchColumn, integration } = processing?.samples ?? {};
  return {
    software,
    dataset: id,
    version,
    title: catalogue.name,
    // As the field `cells` of calls has them.
    cells: subset ? { subset } : {},
    ...(own?.length && {
      annotations: own.map(({ id: own, revision, name }) => ({ id: own, revision, name })),
    }),
    call,
    parameters,
    ...(processing && {
      processing: {
        computedBy: processing.computedBy,
        ...(processing.methods && { methods: processing.methods }),
        ...mapNumbersOf(processing),
        // Within whose values the genes were chosen, and which were brought together.
        ...(batchColumn && { batchColumn }),
        ...(integration && { integration: integration.method }),
      },
    }),
  };
}

export type Definition = ReturnType<typeof definitionOf>;

/** Header comments of every table: its cells in words, its definition as JSON, and what is to know of the cells. */
export function definitionLines(selection: Selection, apiCall: Made): string[] {
  const { catalogue, id, version } = selection.manifest;
  return [
    `Data: ${catalogue.name} (${id}), version ${version}; ${cellsWords(selection)}`,
    definitionLine(selection, apiCall),
    ...(selection.cautions ?? []).map(({ message }) => message),
  ];
}

/** Notes of a result: what is to know of its cells, and its own cautions. */
export function notesOf({ cautions: ofCells = [] }: Selection, cautions: readonly Caution[]): ResultNotes {
  return resultNotes([...ofCells, ...cautions]);
}

export function definitionLine(selection: Selection, apiCall: Made): string {
  return `Definition: ${csvJson(definitionOf(selection, apiCall))}`;
}

/** Caution for tested cells chosen by an expression filter: its genes differ because of the filter itself. */
export function cutByExpression({ subset }: Pick<Selection, 'subset'>): Caution[] {
  if (!subset?.gene_filter && !subset?.signature_filter) return [];
  const { gene_filter, gene, signature_filter, signature } = subset;
  const words = filterWords({ subset_group_name: 'cut', gene_filter, gene, signature_filter, signature });
  return [
    {
      code: 'cells-cut-by-expression',
      message: `The cells were chosen by expression (${words}), and the same expression is tested: genes of the filter, and genes correlated with them, differ by construction. They are not findings.`,
      numbers: { filter: words },
    },
  ];
}

/** Saved with a filter, to tell later whether it still keeps the same cells. */
export function keptBy({ manifest, own = [] }: Selection, cells: number): Kept {
  return {
    cells,
    version: manifest.version,
    annotations: own.map(({ id, revision }) => ({ id, revision })),
  };
}

/** Warning of a filter that keeps other cells than when it was saved, as its columns are of another version. */
export function otherCells({ subset_group_name: name, kept: before }: SubsetFilter, now: Kept): Caution[] {
  if (!before) return [];
  const isReplaced = before.version !== now.version;
  // Labels of other cells make a new revision of an annotation, too.
  if (!isReplaced && before.cells === now.cells) return [];
  const changed = isReplaced ? 'the dataset was replaced' : 'an annotation was changed';
  return [
    {
      code: 'filter-of-other-version',
      message: `“${name}” had ${countText(before.cells)} cells when it was saved; ${countText(now.cells)} now, as ${changed} since${before.cells === now.cells ? ', and they may have changed' : ''}. Check its values on the map, then save it again.`,
      numbers: { before: before.cells, now: now.cells, version: before.version },
    },
  ];
}

/** Counts the cells of filters, also where none are left. Throws as `MaskSource`. */
export interface CellCounts {
  measure(
    selection: Selection & { subset: SubsetFilter },
    call: CallContext,
  ): Promise<{ mask: Pick<CellMask, 'count'> }>;
}

/** `otherCells` of the filters of a call, each once; cells are counted only where columns may be of another version. */
export async function otherCellsOf(
  masks: CellCounts,
  selection: Selection,
  filters: readonly (SubsetFilter | undefined)[],
  call: CallContext,
): Promise<Caution[]> {
  const { manifest, own = [] } = selection;
  const cautions = new Map<string, Caution>();
  for (const filter of filters) {
    if (!filter?.kept || (filter.kept.version === manifest.version && own.length === 0)) continue;
    const subset = subsetFilter(filter);
    if (!subset) continue;
    const { mask } = await masks.measure({ ...selection, subset }, call);
    for (const caution of otherCells(subset, keptBy(selection, mask.count))) {
      cautions.set(caution.message, caution);
    }
  }
  return [...cautions.values()];
}

function cellsWords({ subset }: Selection): string {
  return subset ? `active subset ${subset.subset_group_name}: ${filterWords(subset)}` : 'all cells';
}
