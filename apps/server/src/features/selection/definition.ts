import { readFileSync } from 'node:fs';
import { csvJson, filterWords } from '@cellfolio/contract';
import { countText, type ResultCaution as Caution } from '@cellfolio/model';
import type { Selection } from './selection.ts';

const file = new URL('../../../package.json', import.meta.url);
const { version: ownVersion } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };

/** Name and version of the program that writes files, as `Cellfolio 0.1.0`. */
export const software = `Cellfolio ${ownVersion}`;

/** The API call that made a file, such as `perform-marker-analysis`, and its fields. */
export interface Made {
  readonly call: string;
  readonly parameters: object;
}

/**
 * Everything needed to reproduce a file: the dataset and its version, its cells, the user's own columns, and the call
 * with all its fields. Of the processing, only what determines clusters and map; the rest is in the dataset.
 */
export function definitionOf({ manifest, subset, own }: Selection, { call, parameters }: Made) {
  const { id, version, catalogue, processing } = manifest;
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
        variableGenes: processing.variableGenes,
        components: processing.components,
        neighbours: processing.neighbours,
        resolution: processing.resolution,
        minimumDistance: processing.minimumDistance,
      },
    }),
  };
}

export type Definition = ReturnType<typeof definitionOf>;

/** Header comments of every table: its cells in words, and its definition as JSON. */
export function definitionLines(selection: Selection, apiCall: Made): string[] {
  const { catalogue, id, version } = selection.manifest;
  return [
    `Data: ${catalogue.name} (${id}), version ${version}; ${cellsWords(selection)}`,
    definitionLine(selection, apiCall),
  ];
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

function cellsWords({ subset, manifest }: Selection): string {
  if (!subset) return 'all cells';
  const { subset_group_name: name, kept } = subset;
  const before =
    kept && kept.version !== manifest.version
      ? `; saved with ${countText(kept.cells)} cells on another version of the dataset`
      : '';
  return `active subset ${name}: ${filterWords(subset)}${before}`;
}
