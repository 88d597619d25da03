import { type ComparisonAnswer, columnTitle, type FigureContent } from '@cellfolio/contract';
import { maxListedGenes, maxNamedGenes } from '@cellfolio/figures/content';
import { defineView } from '@/features/analyses/index.ts';
import { textAt, textsOf } from '@/features/tables/index.ts';
import { plural } from '@/lib/format.ts';
import { ComparisonFacts } from './comparison-facts.tsx';
import { DesignPreview } from './design-preview.tsx';
import { DiagnosticsPanel } from './diagnostics-panel.tsx';
import { comparisonFollowUps } from './follow-ups.ts';
import { GenePlotsPanel } from './gene-plots-panel.tsx';
import { genePlots, type GenePlotKind } from './gene-plots.ts';

/** The parts of a page whose result is a comparison of genes that the declaration does not say. */
export const comparedView = defineView<ComparisonAnswer>({
  groupNotes: { Design: DesignPreview },
  Facts: ComparisonFacts,
  plots: genePlots,
  allRows: (rowCount) => `all genes (${plural(rowCount, 'row')})`,
  rowNoun: (ofGroup) => (ofGroup ? 'gene' : 'row'),
  read: (answer) => ({
    summary: (cells) => {
      const { within, pvals_adj, logfoldchanges, pseudocount } = answer.parameters;
      const groups = within === undefined ? '' : ` within each group of ${columnTitle(within)}`;
      return `${answer.a.name} against ${answer.b.name}${groups}, ${cells}: ${answer.test}; differing: adjusted p < ${pvals_adj}, log2 fold change ≥ ${logfoldchanges} in either direction${answer.pseudobulk === null ? ` (pseudocount ${pseudocount})` : ''}`;
    },
    groups:
      answer.parameters.within === undefined
        ? []
        : answer.groups.map(({ name, few_cells }) => ({ name, markers: answer.gene_count, few_cells })),
    ...(answer.parameters.within !== undefined && { groupedBy: answer.parameters.within }),
    directions: {
      higher: 'A',
      lower: 'B',
      adjustedP: answer.parameters.pvals_adj,
      foldChange: answer.parameters.logfoldchanges,
    },
  }),
  Figure: GenePlotsPanel,
  diagnostics: { has: ({ pseudobulk }) => pseudobulk !== null, Panel: DiagnosticsPanel },
  followUps: comparisonFollowUps,
  figureOfGenes: {
    name: 'Dot Plot',
    about: 'Mean expression and share of expressing cells, by what was compared.',
    max: maxListedGenes,
    source: (source, genes, group) => {
      const {
        kind: _kind,
        thresholds: _thresholds,
        part: _part,
        ...compared
      } = source.content as PointsContent;
      const part = compared.within === undefined || group === '' ? {} : { part: group };
      return { ...source, content: { ...compared, kind: 'compared-dots', genes: [...genes], ...part } };
    },
  },
  figureOfRows: (source, { columns }, rows) => {
    const [groups, names] = [textsOf(columns, 'group'), textsOf(columns, 'names')];
    if (!isOfGenes(source.content) || !names || rows.length === 0) return null;
    const part = groups === undefined ? undefined : textAt(groups, rows[0]!);
    const genes: string[] = [];
    for (let at = 0; at < rows.length && genes.length < maxNamedGenes; at++) {
      const row = rows[at]!;
      if (groups === undefined || groups.codes[row] === groups.codes[rows[0]!])
        genes.push(textAt(names, row));
    }
    const content: FigureContent = { ...source.content, ...(part !== undefined && { part }), genes };
    return { ...source, content };
  },
  figureAsSet: (source, { kind, thresholds, part }) => {
    const plot = genePlots.find((one) => one.kind === kind);
    if (!isOfGenes(source.content) || plot === undefined) return source;
    if (plot.kind === source.content.kind && thresholds === undefined && part === undefined) return source;
    const content: FigureContent = {
      ...source.content,
      kind: plot.kind,
      ...(part !== undefined && { part }),
      ...(thresholds && {
        thresholds: { pvals_adj: thresholds.adjustedP, logfoldchanges: thresholds.foldChange },
      }),
    };
    return { ...source, content };
  },
});

type PointsContent = FigureContent & { kind: GenePlotKind };

function isOfGenes(content: FigureContent): content is PointsContent {
  return genePlots.some(({ kind }) => kind === content.kind);
}
