import type { GradientAnswer } from '@cellfolio/contract';
import { maxRankingLines } from '@cellfolio/contract';
import type { FollowUp, FollowUpResult } from '@/features/analyses/index.ts';
import { againstGenes, geneSetEnrichment } from '@/features/pathways/index.ts';
import { rankedEnrichmentAnalysis, type RankedEnrichmentForm } from '@/features/ranked-enrichment/index.ts';
import { numbersOf, textAt, textsOf } from '@/features/tables/index.ts';
import { plural } from '@/lib/format.ts';

const maxGenes = 20_000;
const countedP = 0.05;

export function gradientFollowUps({ answer, table }: FollowUpResult<GradientAnswer>): FollowUp[] {
  const { name } = answer.axis;
  const { ranking, rising, falling, tested } = genesOf(table);
  const form: Partial<RankedEnrichmentForm> = {
    source: 'own',
    ranking: ranking.join('\n'),
    rankingName: `Correlation with ${name}`.slice(0, 200),
  };
  const enrichment = (genes: readonly string[], how: 'rise' | 'fall'): FollowUp => ({
    label: `Enrichment of ${plural(genes.length, 'gene')} that ${genes.length === 1 ? `${how}s` : how}`,
    title: `Gene sets among the genes that ${how} along ${name}, against the ${plural(tested.length, 'gene')} that were tested`,
    module: geneSetEnrichment,
    change: { ...againstGenes(genes.slice(0, maxGenes), tested) },
    disabled: genes.length === 0,
  });
  return [
    {
      label: 'Ranked enrichment (GSEA)',
      title: `Gene sets along all genes, ranked by their correlation with ${name}, without a threshold`,
      module: rankedEnrichmentAnalysis,
      change: { ...form },
      disabled: ranking.length < 2 || ranking.length > maxRankingLines,
    },
    enrichment(rising, 'rise'),
    enrichment(falling, 'fall'),
  ];
}

function genesOf({ columns, rowCount }: FollowUpResult<GradientAnswer>['table']) {
  const [ranking, rising, falling, tested]: string[][] = [[], [], [], []];
  const names = textsOf(columns, 'names');
  const [rhos, ps] = [numbersOf(columns, 'rho'), numbersOf(columns, 'pvals_adj')];
  for (let row = 0; row < rowCount; row++) {
    const rho = rhos?.[row] ?? Number.NaN;
    if (names === undefined || Number.isNaN(rho)) continue;
    const gene = textAt(names, row);
    tested!.push(gene);
    // A name with a tab would be two columns.
    if (!/[\t\r\n]/.test(gene)) ranking!.push(`${gene}\t${rho}`);
    if (!((ps?.[row] ?? 1) < countedP)) continue;
    if (rho > 0) rising!.push(gene);
    if (rho < 0) falling!.push(gene);
  }
  return { ranking: ranking!, rising: rising!, falling: falling!, tested: tested! };
}
