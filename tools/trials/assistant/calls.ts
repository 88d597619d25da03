import type { ToolCall } from './question.ts';

/** Calls of the questions, each with the arguments that matter. */
const call =
  (tool: string) =>
  (args: ToolCall['arguments'] = {}): ToolCall => ({ tool, arguments: args });

export const describe = call('describe_dataset')();
export const findGenes = (...names: string[]) => call('find_genes')({ names });
export const markers = call('analyze_markers');
export const comparison = call('analyze_comparison');
export const composition = call('analyze_composition');
export const gradient = call('analyze_gradient');
export const deciles = call('analyze_deciles');
export const pairs = call('analyze_ligand_receptor');

interface Side {
  readonly name: string;
  readonly types?: readonly string[];
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Cells that express it. */
  readonly gene?: string;
}

/** A set of cells as a filter. */
export function cellsOf({ name, types, labels, gene }: Side) {
  return {
    name,
    filter: {
      subset_group_name: name,
      ...(types && { cell_type_filter: true, cell_type: types }),
      ...(labels && { patient_metadata_filter: true, patient_metadata: labels }),
      ...(gene !== undefined && { gene_filter: true, gene: { name: gene, presence: 'positive' } }),
    },
  };
}

const condition = (name: string, types?: readonly string[]) =>
  cellsOf({ name, labels: { Condition: [name] }, ...(types && { types }) });

/** Treated cells against control. */
export const bySamples = { method: 'pseudobulk', samples: 'donor' } as const;
export const treated = (...types: string[]) => {
  const some = types.length > 0 ? types : undefined;
  return { a: condition('treated', some), b: condition('control', some) };
};
