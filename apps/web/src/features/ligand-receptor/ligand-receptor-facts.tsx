import type { LigandReceptorAnswer } from '@cellfolio/contract';
import { ResultFacts } from '@/features/analyses/index.ts';
import { formatCount, plural } from '@/lib/format.ts';

export function LigandReceptorFacts({ answer }: { answer: LigandReceptorAnswer }) {
  const { pair_set: set, pairs, groups, tests, parameters } = answer;
  const named = set.label === '' ? set.name : `${set.name} (${set.label})`;
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">Pairs:</span> {formatCount(pairs.in_dataset)} of{' '}
          {formatCount(pairs.listed)} of {named} · {plural(groups.length, 'group')} ·{' '}
          {formatCount(tests.passing)} of {plural(tests.tested, 'interaction')} with p &lt; {parameters.pval},{' '}
          {formatCount(tests.adjusted)} adjusted
        </>
      }
    >
      <dt>Set of pairs</dt>
      <dd>
        {[named, set.release, set.licence === '' ? '' : `licence: ${set.licence}`, `version ${set.version}`]
          .filter((part) => part !== '')
          .join('; ')}
      </dd>
      <dt>Left out</dt>
      <dd>
        {plural(pairs.missing, 'pair')} with a subunit that the dataset does not have
        {pairs.duplicates > 0 && `, ${formatCount(pairs.duplicates)} that are the same genes as another`}
      </dd>
      <dt>Test</dt>
      <dd>
        CellPhoneDB, as in LIANA: mean of the mean log-normalised values of ligand and receptor, for a complex
        its subunit with the smallest mean; p is the share of {formatCount(parameters.permutations)}{' '}
        permutations of the labels (seed {parameters.seed}) with a mean as high
      </dd>
      <dt>Ranks</dt>
      <dd>
        robust rank aggregates (Kolde et al. 2012), lower is better: magnitude over mean, product and LR
        score, specificity over p, fold change, scaled weight and specificity weight
      </dd>
      <dt>Groups</dt>
      <dd>{groups.map(({ name, cells }) => `${name} (${formatCount(cells)})`).join(', ')}</dd>
    </ResultFacts>
  );
}
