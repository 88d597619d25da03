import {
  type ResultCaution as Caution,
  countText,
  listedNames,
  valueCautions,
  plural,
  pluralWord,
} from '@cellfolio/model';
import { isCellCycleGene } from '@cellfolio/process';
import { leftOutCautions } from '../../runtime/left-out-groups.ts';
import { mappingCautions } from '../reference-lists/index.ts';
import type { Selection } from '../selection/index.ts';
import { type CellTypeResult, suggestedType, typeAt } from './cell-type-result.ts';

/** Genes that can be high in cells of any type for reasons other than the type. */
export const programmes: readonly { name: string; isIn: (symbol: string) => boolean }[] = [
  { name: 'mitochondrial genes', isIn: (symbol) => /^MT-/i.test(symbol) },
  { name: 'ribosomal genes', isIn: (symbol) => /^RP(?:[SL]\d+[AXYL]?\d?|LP[0-2]|SA)$/i.test(symbol) },
  { name: 'genes of the cell cycle', isIn: isCellCycleGene },
];

type Findings = Omit<CellTypeResult, 'cautions'> & { selection: Selection };

const maxNamesListed = 5;
/** Means of fewer cells change with every other cell. */
const fewCells = 30;
/** Above this share of missing markers, their names are probably of another kind. */
const manyMissing = 0.5;

/** Limits of the suggestions that apply, each with its figures. */
export function cellTypeCautions(findings: Findings): Caution[] {
  return [
    ...valueCautions(findings.selection.manifest, 'means and all scores are of the values as they are'),
    suggestionsOnly(findings),
    ...twoTypes(findings),
    ...otherProgrammes(findings),
    ...missingMarkers(findings),
    ...mappingCautions(findings.markers, 'markers', 'Orthologous genes need not mark the same cells.'),
    ...smallGroups(findings),
    ...relativeToOthers(findings),
    ...abridged(findings),
    ...leftOutCautions(findings.groups, {
      minCells: findings.parameters.min_cells,
      column: findings.parameters.groupby,
      nowhere: 'mean',
    }),
  ];
}

function suggestionsOnly({ suggestedTypes, groups }: Findings): Caution {
  const unclear = suggestedTypes.groups.filter(({ reasons }) => reasons.length > 0).length;
  return {
    code: 'suggestions-only',
    message: `A suggestion is the most similar of the listed types, not proof of what the cells are: other types cannot be suggested, and p-values treat genes as replicates, which are not independent. ${countText(unclear)} of ${countText(groups.names.length)} groups ${pluralWord(unclear, 'is', 'are')} Unclear. Check the markers before you label cells.`,
    numbers: { groups: groups.names.length, unclear },
  };
}

function twoTypes({ suggestedTypes, groups, markers, paired }: Findings): Caution[] {
  const looksLike = suggestedTypes.groups.flatMap(({ conflict, order }, group) =>
    conflict === undefined ? [] : [{ group, types: [order[0]!, conflict] as const }],
  );
  if (looksLike.length === 0) return [];
  const descriptions = looksLike.map(({ group, types }) => {
    const [one, other] = types.map((type) => typeAt(markers, type).type);
    const cells = paired.get(group);
    const both =
      cells === undefined
        ? ''
        : `: ${countText(cells.both)} of ${countText(groups.sizes[group]!)} cells express two markers of each`;
    return `${groups.names[group]!} (${one} and ${other}${both})`;
  });
  return [
    {
      code: 'two-types',
      message: `${plural(looksLike.length, 'group looks', 'groups look')} like two types at once: ${listedNames(descriptions, maxNamesListed)}. If many cells express both, look for doublets; if few do, split the group.`,
      numbers: {
        groupCount: looksLike.length,
        groups: looksLike.slice(0, maxNamesListed).map(({ group }) => groups.names[group]!),
        both: looksLike.slice(0, maxNamesListed).map(({ group }) => paired.get(group)?.both ?? 0),
      },
    },
  ];
}

function otherProgrammes({ suggestedTypes, groups }: Findings): Caution[] {
  return programmes.flatMap(({ name }, programme): Caution[] => {
    const explained = suggestedTypes.groups.flatMap(({ programmes: scores, linear, order }, group) => {
      const best = order[0] === undefined ? 0 : Math.max(0, linear.scores[order[0]]!);
      return scores[programme]! > Math.max(best, 2) ? [groups.names[group]!] : [];
    });
    if (explained.length === 0) return [];
    return [
      {
        code: 'explained-by-programme',
        message: `${listedNames(explained, maxNamesListed)} ${pluralWord(explained.length, 'differs', 'differ')} from the other groups by ${name} more than by the markers of any type: ${name === 'mitochondrial genes' ? 'these cells may be dying' : 'that is a state, not a type'}. Check its markers.`,
        numbers: {
          programme: name,
          groupCount: explained.length,
          groups: explained.slice(0, maxNamesListed),
        },
      },
    ];
  });
}

function missingMarkers({ markers: { markers, missing, leftOut, listed }, parameters }: Findings): Caution[] {
  if (missing === 0) return [];
  const names = leftOut.map((type) => listed[type]!.type);
  const left =
    names.length === 0
      ? ''
      : ` Types with fewer than ${parameters.min_markers} markers cannot be suggested: ${listedNames(names, maxNamesListed)}.`;
  const why =
    missing >= manyMissing * markers
      ? ' Most are missing: check that the dataset has all genes, under these names.'
      : '';
  return [
    {
      code: 'markers-missing',
      message: `${countText(missing)} of ${countText(markers)} markers are not among the genes of the dataset.${why}${left}`,
      numbers: { markers, missing, typesLeftOut: leftOut.length },
    },
  ];
}

function smallGroups({ groups }: Findings): Caution[] {
  const small = groups.names.flatMap((name, group) =>
    groups.sizes[group]! < fewCells ? [{ name, cells: groups.sizes[group]! }] : [],
  );
  if (small.length === 0) return [];
  const names = small.map(({ name, cells }) => `${name} (${cells})`);
  return [
    {
      code: 'small-groups',
      message: `Fewer than ${fewCells} cells: ${listedNames(names, maxNamesListed)}. A few other cells would change their means: merge them, or check their genes.`,
      numbers: {
        limit: fewCells,
        groups: small.slice(0, maxNamesListed).map(({ name }) => name),
        groupCount: small.length,
      },
    },
  ];
}

/** Means are centred over the groups, so what all groups share is in none of them. */
function relativeToOthers(findings: Findings): Caution[] {
  const { groups } = findings;
  const suggested = new Set(groups.names.map((_, group) => suggestedType(findings, group)?.type));
  if (groups.names.length > 3 && suggested.size > 1) return [];
  return [
    {
      code: 'relative-to-other-groups',
      message: `Scores compare each group with the average of all ${countText(groups.names.length)}: if all are of one type, its markers do not stand out. Compare groups of the whole tissue.`,
      numbers: { groups: groups.names.length },
    },
  ];
}

function abridged({ markers: { set, listed } }: Findings): Caution[] {
  if (set.label === '') return [];
  const unchecked = listed.filter(({ checked }) => checked === false).length;
  const without = listed.filter(({ reference }) => reference === '').length;
  return [
    {
      code: 'abridged-markers',
      message: `The markers are ${set.label}: ${countText(set.count)} common types of hundreds, with the references of ${countText(unchecked)} unverified${without > 0 ? ` and ${countText(without)} without one` : ''}. Add your own markers, or ask the operator to install a published resource.`,
      numbers: { types: set.count, unverifiedReferences: unchecked, withoutReference: without },
    },
  ];
}
