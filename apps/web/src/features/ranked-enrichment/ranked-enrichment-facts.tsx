import { geneSetAttribution, type RankedEnrichmentAnswer } from '@cellfolio/contract';
import { ResultFacts } from '@/features/analyses/index.ts';
import { formatCount, plural } from '@/lib/format.ts';

export function RankedEnrichmentFacts({ answer }: { answer: RankedEnrichmentAnswer }) {
  const { ranking, library, sets, method, permutations, seed, weight, min_size, max_size } = answer;
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">Ranked:</span> {plural(ranking.genes, 'gene')} ·{' '}
          {plural(sets.tested, 'set')} tested · FDR q ≤ {sets.threshold}: {formatCount(sets.significant_top)}{' '}
          {ranking.top}, {formatCount(sets.significant_end)} {ranking.end}
        </>
      }
    >
      <dt>Ranking</dt>
      <dd>
        {ranking.name}. {plural(ranking.entries, 'gene')} given, {formatCount(ranking.missing)} without a
        number, {formatCount(ranking.repeated)} given more than once, {formatCount(ranking.unmapped)} without
        an orthologue; {formatCount(ranking.tied)} ranked genes share their value with another.
      </dd>
      <dt>Library</dt>
      <dd>
        {library.title}. {geneSetAttribution(library)} {formatCount(ranking.in_sets)} ranked genes are in its
        sets.
      </dd>
      <dt>Gene sets</dt>
      <dd>
        {plural(sets.tested, 'set')} of {formatCount(min_size)} to {formatCount(max_size)} ranked genes
        tested; {formatCount(sets.too_small)} smaller and {formatCount(sets.too_large)} larger ones left out.
      </dd>
      <dt>Test</dt>
      <dd>
        {method === 'permutation'
          ? `${plural(permutations, 'gene permutation')}: nominal p, FDR q and FWER p as in gseapy’s prerank`
          : `multilevel split as in fgsea, FDR of Benjamini and Hochberg; normalised by ${plural(permutations, 'gene permutation')}`}
        ; weight {weight}, seed {seed}
      </dd>
    </ResultFacts>
  );
}
