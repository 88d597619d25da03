import type { CoExpressionAnswer } from '@cellfolio/contract';
import type { FollowUp, FollowUpResult } from '@/features/analyses/index.ts';
import { againstGenes, geneSetEnrichment } from '@/features/pathways/index.ts';
import { numbersOf, textAt, textsOf } from '@/features/tables/index.ts';
import { plural } from '@/lib/format.ts';

const maxOffered = 6;

export function coExpressionFollowUps({
  answer,
  table,
  group,
}: FollowUpResult<CoExpressionAnswer>): FollowUp[] {
  const shown = answer.modules.filter(({ name }) => group === '' || name === group).slice(0, maxOffered);
  if (shown.length === 0) return [];
  const tested = testedGenes(table);
  return shown.map(({ name, genes }) => ({
    label: `Enrichment of ${name}`,
    title: `Gene sets among the ${plural(genes.length, 'gene')} of ${name}, against the ${plural(tested.length, 'gene')} that were tested`,
    module: geneSetEnrichment,
    change: { ...againstGenes(genes, tested) },
    disabled: false,
  }));
}

function testedGenes({ columns, rowCount }: FollowUpResult<CoExpressionAnswer>['table']): string[] {
  const [names, z] = [textsOf(columns, 'names'), numbersOf(columns, 'z')];
  if (names === undefined || z === undefined) return [];
  const tested: string[] = [];
  for (let row = 0; row < rowCount; row++) if (!Number.isNaN(z[row])) tested.push(textAt(names, row));
  return tested;
}
