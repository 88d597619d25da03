import { enrichmentOf, type NextQuestion } from '@cellfolio/analyses';
import type { GradientAnswer } from '@cellfolio/contract';
import { maxRankingLines } from '@cellfolio/contract';
import type { FollowUpResult } from '@/features/analyses/index.ts';
import { numbersOf, textAt, textsOf } from '@/features/tables/index.ts';
import { plural } from '@/lib/format.ts';

const countedP = 0.05;

export function gradientFollowUps({ answer, table }: FollowUpResult<GradientAnswer>): NextQuestion[] {
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

function genesOf({ columns, rowCount }: FollowUpResult<GradientAnswer>['table']) {
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
