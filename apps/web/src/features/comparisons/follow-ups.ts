import { enrichmentOf, type NextQuestion } from '@cellfolio/analyses';
import type { ComparisonAnswer } from '@cellfolio/contract';
import type { FollowUpResult } from '@/features/analyses/index.ts';
import { groupsIn, numbersOf, type TableColumns, textAt, textsOf } from '@/features/tables/index.ts';
import { plural } from '@/lib/format.ts';

export function comparisonFollowUps({
  answer,
  table,
  group,
}: FollowUpResult<ComparisonAnswer>): NextQuestion[] {
  const { parameters, a, b } = answer;
  const part =
    parameters.within === undefined ? undefined : group === '' ? mostDiffering(answer, table) : group;
  const where = part === undefined ? '' : ` in ${part === '' ? '(no name)' : part}`;
  const { higher, lower, tested } = genesOf(table, part, parameters);
  const enrichment = (genes: readonly string[], side: 'A' | 'B', name: string) =>
    enrichmentOf(genes, tested, {
      label: `Enrichment of ${plural(genes.length, 'gene')} higher in ${side}${where}`,
      title: `Gene sets among the genes that are higher in ${name}${where}, against the ${plural(tested.length, 'gene')} that any of the compared cells expresses`,
    });
  return [
    {
      label: `Ranked enrichment (GSEA)${where}`,
      title: 'Gene sets along all genes of the comparison, ranked by its scores, without a threshold',
      analysis: 'ranked-enrichment',
      change: { ranking: { source: 'comparison', comparison: parameters, part } },
    },
    enrichment(higher, 'A', a.name),
    enrichment(lower, 'B', b.name),
  ];
}

export function groupsHere(
  { groups }: ComparisonAnswer,
  table: Pick<TableColumns, 'columns'>,
): ComparisonAnswer['groups'] {
  const here = groupsIn(table);
  return here === undefined ? groups : groups.filter(({ name }) => here.has(name));
}

/** The group with the most passing genes among those on the page; the first on a tie, as on the server. */
export function mostDiffering(answer: ComparisonAnswer, table: Pick<TableColumns, 'columns'>): string {
  const groups = groupsHere(answer, table);
  const counts = groups.map(({ higher, lower }) => higher + lower);
  return groups[counts.indexOf(Math.max(...counts))]?.name ?? '';
}

function genesOf(
  { columns, rowCount }: FollowUpResult<ComparisonAnswer>['table'],
  part: string | undefined,
  { pvals_adj: adjustedP, logfoldchanges: foldChange }: ComparisonAnswer['parameters'],
) {
  const [higher, lower, tested]: string[][] = [[], [], []];
  const [names, groups] = [textsOf(columns, 'names'), textsOf(columns, 'group')];
  // Codes instead of names: a table of many groups has hundreds of thousands of rows.
  const rowCodes = part === undefined ? undefined : (groups?.codes ?? new Int32Array(0));
  const code = groups?.categories.indexOf(part ?? '') ?? -1;
  const number = (name: string) => numbersOf(columns, name);
  const [changes, ps] = [number('logfoldchanges'), number('pvals_adj')];
  const [inA, inB] = [number('pct_nz_a'), number('pct_nz_b')];
  for (let row = 0; row < rowCount; row++) {
    if (rowCodes !== undefined && rowCodes[row] !== code) continue;
    const p = ps?.[row] ?? Number.NaN;
    const isExpressed = inA === undefined || inA[row]! > 0 || (inB?.[row] ?? 0) > 0;
    if (Number.isNaN(p) || !isExpressed) continue;
    const gene = names === undefined ? '' : textAt(names, row);
    tested!.push(gene);
    const change = changes?.[row] ?? Number.NaN;
    if (!(p < adjustedP)) continue;
    if (change > 0 && change >= foldChange) higher!.push(gene);
    if (change < 0 && -change >= foldChange) lower!.push(gene);
  }
  return { higher: higher!, lower: lower!, tested: tested! };
}
