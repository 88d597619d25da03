import { type LigandReceptorParameters, columnTitle } from '@cellfolio/contract';
import {
  type ResultCaution as Caution,
  countText,
  isOfExpression,
  isUnassigned,
  valueCautions,
} from '@cellfolio/model';
import type { DatasetPairs } from './dataset-pairs.ts';
import type { PairGroups, PairTable, ScoredPairs } from './tasks.ts';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import { leftOutCautions, unassignedCautions } from '../../runtime/left-out-groups.ts';
import { mappingCautions } from '../reference-lists/index.ts';
import type { Selection } from '../selection/index.ts';

export interface LigandReceptorResult {
  parameters: LigandReceptorParameters;
  pairs: DatasetPairs;
  groups: Pick<PairGroups, 'names' | 'sizes' | 'leftOut' | 'empty' | 'unlabelled'>;
  interactions: ScoredPairs['interactions'];
  means: Float64Array;
  looked: number;
  table: PairTable;
  cautions: readonly Caution[];
}

export function hasReferences({ named }: DatasetPairs): boolean {
  return named.some(({ reference }) => reference !== '');
}

type Findings = Omit<LigandReceptorResult, 'cautions'> & {
  selection: Selection;
  samples: SampleColumn | undefined;
};

/** Limits of the result that apply, each with its figures. */
export function ligandReceptorCautions(findings: Findings): Caution[] {
  return [
    ...valueCautions(
      findings.selection.manifest,
      'means, fold changes and all ranks are of the values as they are',
    ),
    permutedCells(findings),
    expressionIsNoContact(),
    ...oneSided(findings),
    multipleTesting(findings),
    ...mappingCautions(
      findings.pairs,
      'pairs',
      'Proteins of orthologous genes need not bind the same partners.',
    ),
    ...abridged(findings),
    ...missingPairs(findings),
    ...leftOutCautions(findings.groups, {
      minCells: findings.parameters.min_cells,
      column: findings.parameters.groupby,
      nowhere: 'permutation',
    }),
    ...unassignedCautions(
      findings.groups.names.flatMap((name, group) =>
        isUnassigned(name) ? [{ name, cells: findings.groups.sizes[group]! }] : [],
      ),
      {
        column: columnTitle(findings.parameters.groupby),
        isLeftOut: false,
        otherwise: 'senders and receivers like the others',
      },
    ),
  ];
}

function permutedCells({ groups, samples, selection, parameters }: Findings): Caution {
  const cells = groups.sizes.reduce((sum, size) => sum + size, 0);
  const of = samples
    ? `though cells of one sample (${columnTitle(samples.column)}) are similar`
    : 'and no sample column is known';
  const formed = isOfExpression(selection.manifest, parameters.groupby)
    ? ' The groups were formed from the same expression, which makes p even smaller.'
    : '';
  return {
    code: 'permuted-cells',
    message: `The permutations treat each of ${countText(cells)} cells as a replicate, ${of}. A small p shows that these groups differ from random ones, not that other samples would show the same.${formed}`,
    numbers: { cells, groups: groups.names.length },
  };
}

function expressionIsNoContact(): Caution {
  return {
    code: 'expression-is-no-contact',
    message:
      'Expression is not protein, and groups that express a ligand and its receptor need not be neighbours in the tissue: a pair is a hypothesis, not proof of signalling.',
  };
}

function oneSided({ table }: Findings): Caution[] {
  const { oneSided: count, significant } = table;
  if (count === 0) return [];
  return [
    {
      code: 'one-sided-interactions',
      message: `In ${countText(count)} of the ${countText(significant)} interactions that pass, only the ligand or only the receptor is higher in its group than elsewhere. To find them, sort by the smaller fold change (min_logfc).`,
      numbers: { oneSided: count, passing: significant },
    },
  ];
}

function multipleTesting({ table, parameters, looked }: Findings): Caution {
  const { permutations, pval } = parameters;
  const tests = table.pValues.length;
  const smallestP = `1/${countText(permutations)}`;
  const zero =
    table.zeroPs === 0
      ? ''
      : ` A p of 0 (${countText(table.zeroPs)} times) is below that: no permutation was as high.`;
  return {
    code: 'multiple-testing',
    message: `${countText(tests)} of ${countText(looked)} interactions are expressed in both groups and were tested; the smallest p above 0 that ${countText(permutations)} permutations can show is ${smallestP}.${zero} As in CellPhoneDB p is not adjusted for the number of tests: about ${countText(Math.round(tests * pval))} would have p < ${pval} by chance. cellphone_pvals_adj is adjusted by Benjamini and Hochberg over all of them, of (count + 1) / (permutations + 1): ${countText(table.adjustedPassing)} are below ${pval}.`,
    numbers: {
      tests,
      looked,
      permutations,
      passing: table.significant,
      adjustedPassing: table.adjustedPassing,
      zeroPs: table.zeroPs,
    },
  };
}

function abridged({ pairs: { set } }: Findings): Caution[] {
  if (set.label === '') return [];
  return [
    {
      code: 'abridged-pairs',
      message: `The pairs are ${set.label}: ${countText(set.count)} of the thousands that published resources list; others were not tested. Add your own list, or ask the operator to install a published resource.`,
      numbers: { pairs: set.count },
    },
  ];
}

function missingPairs({ pairs: { set, pairs, missing, duplicates } }: Findings): Caution[] {
  if (missing + duplicates === 0) return [];
  const parts = [
    ...(missing > 0
      ? [`${countText(missing)} have a subunit that is not among the genes of the dataset`]
      : []),
    ...(duplicates > 0 ? [`${countText(duplicates)} are the same genes as another one`] : []),
  ];
  return [
    {
      code: 'pairs-left-out',
      message: `Of ${countText(set.count)} pairs ${countText(pairs.length)} are in the dataset; ${parts.join(', and ')}.`,
      numbers: { pairs: set.count, inDataset: pairs.length, missing, duplicates },
    },
  ];
}
