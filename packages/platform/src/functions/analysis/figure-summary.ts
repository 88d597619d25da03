import type { DotPlotNumbers, FigureNumbers, ViolinNumbers } from './figure-numbers.ts';
import { cells, listed, percent, pValue, value, whole } from './say-numbers.ts';

type Umap = Extract<FigureNumbers, { counts: unknown }>;
type Group = { readonly label: string; readonly cells: number };

const named = 5;
/** Below this many cells a mean says little. */
const fewCells = 20;

/**
 * What a figure shows, in sentences computed from its numbers and nothing else: the same figure gives the same words.
 * One paragraph about what it is, one of findings, one of cautions where there are any.
 */
export function summariseFigure(numbers: FigureNumbers): string {
  const about = `${numbers.title} in ${numbers.datasetName}${numbers.summary ? `: ${numbers.summary}` : ''}.`;
  const { findings, cautions: ofFigure } = sentencesOf(numbers);
  const cautions = [...(numbers.cautions ?? []).map(({ message }) => message), ...ofFigure];
  return [
    about,
    findings.join(numbers.kind === 'dot-plot' ? '\n' : ' '),
    cautions.join(numbers.cautions ? '\n' : ' '),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

interface Sentences {
  readonly findings: readonly string[];
  readonly cautions: readonly string[];
}

function sentencesOf(numbers: FigureNumbers): Sentences {
  switch (numbers.kind) {
    case 'gene-umap':
      return geneUmap(numbers);
    case 'score-umap':
      return scoreUmap(numbers);
    case 'category-umap':
      return categories(numbers);
    case 'highlight-umap':
      return highlight(numbers);
    case 'gene-violin':
    case 'score-violin':
      return violins(numbers);
    case 'dot-plot':
      return dotPlot(numbers);
    case 'enrichment-bar':
      return enrichment(numbers);
  }
}

function geneUmap({ counts, expressing, withoutValue, domain, unit }: Umap & { kind: 'gene-umap' }) {
  return {
    findings: [
      `${cells(expressing)} of ${whole(counts.cells)} (${percent(expressing, counts.cells)}) express the gene, with a value above 0.`,
      ...(expressing > 0 ? [`The highest value is ${value(domain.max)}${inUnit(unit)}.`] : []),
    ],
    cautions: [
      ...(domain.clipped
        ? [`Colours end at ${value(domain.high)}: cells above it look alike in the figure.`]
        : []),
      ...(withoutValue > 0 ? [`${cells(withoutValue)} without a value are drawn as not expressing.`] : []),
      'Positions on a UMAP show neighbourhoods; distances between groups are not to scale.',
    ],
  };
}

function scoreUmap({ counts, domain, unit, subtitle, notScored }: Umap & { kind: 'score-umap' }) {
  return {
    findings: [
      ...(subtitle ? [`The score is made of ${subtitle}.`] : []),
      `Over ${cells(counts.cells)}, scores go from ${value(domain.min)} to ${value(domain.max)}${inUnit(unit)}; the colours cover ${value(domain.low)} to ${value(domain.high)}.`,
      ...(notScored > 0 ? [`${cells(notScored)} could not be scored.`] : []),
    ],
    cautions: ['A score compares the genes with control genes of like expression; 0 means no difference.'],
  };
}

function categories({ counts, groups, missing }: Umap & { kind: 'category-umap' }): Sentences {
  const present = bySize(groups);
  return {
    findings: [
      `${cells(counts.cells)} in ${whole(present.length)} ${present.length === 1 ? 'group' : 'groups'}.`,
      ...largest(present, counts.cells),
      ...(missing > 0 ? [`${cells(missing)} (${percent(missing, counts.cells)}) are in no group.`] : []),
    ],
    cautions: smallGroups(present),
  };
}

function highlight({ counts, groups, others }: Umap & { kind: 'highlight-umap' }): Sentences {
  const present = bySize(groups);
  const chosen = counts.cells - others;
  return {
    findings: [
      `${whole(chosen)} of ${cells(counts.cells)} (${percent(chosen, counts.cells)}) are highlighted.`,
      ...(present.length > 1 ? largest(present, counts.cells) : []),
    ],
    cautions: smallGroups(present),
  };
}

function bySize(groups: readonly Group[]): Group[] {
  return groups.filter((group) => group.cells > 0).toSorted((a, b) => b.cells - a.cells);
}

function largest(present: readonly Group[], all: number): string[] {
  const said = present
    .slice(0, named)
    .map((group) => `${group.label} (${whole(group.cells)}, ${percent(group.cells, all)})`);
  if (said.length === 0) return [];
  return [`${present.length > named ? 'The largest are' : 'By size:'} ${listed(said)}.`];
}

function violins(numbers: ViolinNumbers): Sentences {
  const { groups, unit, groupCount } = numbers;
  const ranked = groups
    .filter(({ mean }) => mean !== null)
    .toSorted((a, b) => b.mean! - a.mean! || b.cells - a.cells);
  const [top, second] = ranked;
  const last = ranked.at(-1);
  const expressing = (group: ViolinNumbers['groups'][number]) =>
    'expressing' in group
      ? `, ${percent(group.expressing, group.cells)} of ${cells(group.cells)} express it`
      : `, ${cells(group.cells)}`;
  const said = (group: ViolinNumbers['groups'][number]) =>
    `${group.label} (mean ${value(group.mean)}, median ${value(group.quartiles?.[1] ?? null)}${expressing(group)})`;
  const hidden = groupCount - groups.length;
  return {
    findings:
      !top || !last
        ? ['No group has values.']
        : [
            `By mean${inUnit(unit)}, highest first: ${listed(ranked.slice(0, named).map(said))}.`,
            ...(ranked.length > named ? [`Lowest is ${said(last)}.`] : []),
            // Both means are on one scale, that of a logarithm or of a score: they are subtracted, not divided.
            ...(second
              ? [
                  `The mean in ${top.label} is ${value(top.mean! - second.mean!)} above that of the next group.`,
                ]
              : []),
          ],
    cautions: [
      ...(hidden > 0
        ? [`${whole(hidden)} smaller ${hidden === 1 ? 'group is' : 'groups are'} not in the figure.`]
        : []),
      ...(numbers.kind === 'score-violin' && numbers.notScored > 0
        ? [`${cells(numbers.notScored)} could not be scored.`]
        : []),
      ...smallGroups(groups),
      'These are descriptions of the cells, not tests: Marker Analysis tests differences between groups.',
    ],
  };
}

function dotPlot({
  groups,
  genes,
  mean,
  fraction,
  groupCount,
  geneCount,
  cautions,
}: DotPlotNumbers): Sentences {
  const lines = groups.slice(0, 20).map(({ label }, row) => {
    const ranked = genes
      .map(({ symbol, bracket }, column) => ({
        symbol,
        // A marker is said with the group that it marks.
        own: bracket === null || bracket === label,
        mean: mean[row * genes.length + column] ?? null,
        fraction: fraction[row * genes.length + column] ?? null,
      }))
      .filter((dot) => dot.own && dot.mean !== null && dot.fraction !== null)
      .toSorted((a, b) => b.mean! - a.mean!)
      .slice(0, 3)
      .map((dot) => `${dot.symbol} (mean ${value(dot.mean)} in ${percent(dot.fraction!, 1)} of its cells)`);
    return ranked.length > 0 ? `${label}: ${listed(ranked)}.` : '';
  });
  const [hiddenGroups, hiddenGenes] = [groupCount - groups.length, geneCount - genes.length];
  return {
    findings: [
      `${whole(genes.length)} genes in ${whole(groups.length)} groups. Strongest in each group:`,
      ...lines.filter((line) => line !== ''),
    ],
    cautions: [
      ...(hiddenGroups > 0 || hiddenGenes > 0
        ? [`The figure leaves out ${whole(hiddenGroups)} groups and ${whole(hiddenGenes)} genes.`]
        : []),
      // The result's own cautions name its small groups.
      ...(cautions ? [] : smallGroups(groups)),
    ],
  };
}

function enrichment(numbers: Extract<FigureNumbers, { kind: 'enrichment-bar' }>): Sentences {
  const { terms, termCount, significant, threshold, subtitle } = numbers;
  const said = terms
    .slice(0, named)
    .map(
      ({ term, adjustedP, overlap, combinedScore }) =>
        `${term} (adjusted p ${pValue(adjustedP)}, overlap ${overlap}, combined score ${value(combinedScore)})`,
    );
  return {
    findings: [
      ...(subtitle ? [`${subtitle}.`] : []),
      `${whole(significant)} of ${whole(termCount)} terms have an adjusted p of at most ${value(threshold)}.`,
      ...(said.length > 0 ? [`Best first: ${listed(said)}.`] : []),
    ],
    cautions: [
      termCount === 0
        ? 'No term of the library shares a gene with the list.'
        : significant === 0
          ? 'No term passes the threshold; their order may be chance.'
          : 'Terms that share genes are not independent findings.',
    ],
  };
}

/** Names the groups of so few cells that their share or mean may be chance. */
function smallGroups(groups: readonly Group[]): string[] {
  const few = groups.filter((group) => group.cells < fewCells);
  if (few.length === 0) return [];
  const words = few.slice(0, named).map(({ label, cells: count }) => `${label} (${whole(count)})`);
  const said = few.length > named ? `${words.join(', ')} and others` : listed(words);
  return [`Few cells, so read with care: ${said}.`];
}

function inUnit(unit: string): string {
  return unit ? ` (${unit})` : '';
}
