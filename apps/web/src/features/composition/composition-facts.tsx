import type { CompositionAnswer } from '@cellfolio/contract';
import { columnTitle } from '@cellfolio/contract';
import { ResultFacts } from '@/features/analyses/index.ts';
import { degreesWords, kindWords, LeftOut } from '@/features/comparisons/index.ts';
import { formatCount, plural } from '@/lib/format.ts';

export function CompositionFacts({ answer }: { answer: CompositionAnswer }) {
  const { a, b, by, samples, design, test, parameters, categories, differing } = answer;
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">A:</span> {a.name}, {plural(samples.a, 'sample')},{' '}
          {plural(a.cells, 'cell')} · <span className="font-medium">B:</span> {b.name},{' '}
          {plural(samples.b, 'sample')}, {plural(b.cells, 'cell')} · {formatCount(differing)} of{' '}
          {formatCount(categories)} categories differ
        </>
      }
    >
      <dt>Shares of</dt>
      <dd>{columnTitle(by)}, among the cells of each sample on a side</dd>
      <dt>Test</dt>
      <dd>
        {test} ({degreesWords(design)}); p-values adjusted by Benjamini and Hochberg over the categories
      </dd>
      <dt>Effect</dt>
      <dd>
        {parameters.transform === 'logit'
          ? 'difference in the natural log odds of a share, A minus B'
          : 'difference in the arcsine square roots of a share, A minus B'}
      </dd>
      <dt>Counted</dt>
      <dd>adjusted p &lt; {parameters.pvals_adj}</dd>
      <dt>Replicates</dt>
      <dd>
        {columnTitle(samples.column)} ({samples.reason}): {formatCount(samples.a)} in A,{' '}
        {formatCount(samples.b)} in B, {formatCount(samples.both)} in both
        {design.paired ? ', compared in pairs' : ''}
      </dd>
      {design.columns.length > 1 && (
        <>
          <dt>Covariates</dt>
          <dd>{kindWords(design).join('; ')}</dd>
        </>
      )}
      <LeftOut parts={[{ name: '', left_out: design.left_out }]} />
    </ResultFacts>
  );
}
