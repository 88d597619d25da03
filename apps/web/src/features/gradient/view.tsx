import { countedP, enrichmentOf, type gradient, type NextQuestion } from '@cellfolio/analyses';
import { type AnalysisAnswer, type FigureContent, maxRankingLines } from '@cellfolio/contract';
import { defineView, type FollowUpResult } from '@/features/analyses/index.ts';
import { numbersOf, textAt, textsOf } from '@/features/tables/index.ts';
import { plural } from '@/lib/format.ts';

type Answer = AnalysisAnswer<typeof gradient>;

export const gradientView = defineView<Answer>({
  followUps,
  figuresOfRow: [
    {
      name: 'Curve',
      about: 'The cells of the result along the axis.',
      source: (source, { columns }, row) => {
        const names = textsOf(columns, 'names');
        if (source.content.kind !== 'gradient-heatmap' || names === undefined) return null;
        const gene = textAt(names, row);
        const content: FigureContent = { ...source.content, kind: 'gradient-curve', genes: [gene] };
        return { source: { ...source, content }, title: gene };
      },
    },
  ],
});

function followUps({ answer, table }: FollowUpResult<Answer>): NextQuestion[] {
  const { name } = answer.axis;
  const { ranking, rising, falling, tested } = genesOf(table);
  const enrichment = (genes: readonly string[], how: 'rise' | 'fall') =>
    enrichmentOf(genes, tested, {
      label: `Enrichment of ${plural(genes.length, 'gene')} that ${genes.length === 1 ? `${how}s` : how}`,
      title: `Gene sets among the genes that ${how} along ${name}, against the ${plural(tested.length, 'gene')} that were tested`,
    });
  return [
    {
      label: 'Ranked enrichment (GSEA)',
      title: `Gene sets along all genes, ranked by their correlation with ${name}, without a threshold`,
      analysis: 'ranked-enrichment',
      change: { ranking: { source: 'own', name: `Correlation with ${name}`.slice(0, 200), ...ranking } },
      isDisabled: ranking.genes.length < 2 || ranking.genes.length > maxRankingLines,
    },
    enrichment(rising, 'rise'),
    enrichment(falling, 'fall'),
  ];
}

function genesOf({ columns, rowCount }: FollowUpResult<Answer>['table']) {
  const [rising, falling, tested]: string[][] = [[], [], []];
  const ranking: { genes: string[]; values: number[] } = { genes: [], values: [] };
  const names = textsOf(columns, 'names');
  const [rhos, ps] = [numbersOf(columns, 'rho'), numbersOf(columns, 'pvals_adj')];
  for (let row = 0; row < rowCount; row++) {
    const rho = rhos?.[row] ?? Number.NaN;
    if (names === undefined || Number.isNaN(rho)) continue;
    const gene = textAt(names, row);
    tested!.push(gene);
    // A name with a tab would be two columns.
    if (!/[\t\r\n]/.test(gene)) {
      ranking.genes.push(gene);
      ranking.values.push(rho);
    }
    if (!((ps?.[row] ?? 1) < countedP)) continue;
    if (rho > 0) rising!.push(gene);
    if (rho < 0) falling!.push(gene);
  }
  return { ranking, rising: rising!, falling: falling!, tested: tested! };
}
