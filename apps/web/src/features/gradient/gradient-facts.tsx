import type { GradientAnswer } from '@cellfolio/contract';
import { ResultFacts } from '@/features/analyses/index.ts';
import { formatCount, nameList, plural } from '@/lib/format.ts';

const short = (value: number) => String(Number(value.toPrecision(4))).replace('-', '−');

export function GradientFacts({ answer }: { answer: GradientAnswer }) {
  const { axis, cells, samples, curve } = answer;
  const within = samples?.tested ?? [];
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">Axis:</span> {axis.name} · {formatCount(cells.tested)} of{' '}
          {formatCount(cells.analysed)} cells ·{' '}
          {within.length > 0 ? `within ${plural(within.length, 'sample')}` : 'all cells together'}
        </>
      }
    >
      <dt>Places</dt>
      <dd>
        {axis.unit}, from {short(axis.least)} to {short(axis.greatest)}
        {axis.commonest_share >= 0.1 &&
          `; ${(100 * axis.commonest_share).toFixed(0)} % of the cells at ${short(axis.commonest)}`}
      </dd>
      {axis.line !== null && (
        <>
          <dt>Line</dt>
          <dd>
            from ({axis.line.from.map(short).join(', ')}), where the axis is 0, to (
            {axis.line.to.map(short).join(', ')}), where it is 1
          </dd>
        </>
      )}
      {axis.own_genes.length > 0 && (
        <>
          <dt>Not tested</dt>
          <dd>
            {axis.own_genes.length === 1 ? 'the gene' : `the ${plural(axis.own_genes.length, 'gene')}`} of the
            axis: {nameList(axis.own_genes, 20)}
          </dd>
        </>
      )}
      <dt>Tests</dt>
      <dd>{answer.test}</dd>
      <dt>Curve</dt>
      <dd>
        {curve.degrees} and {formatCount(Math.round(curve.left))} degrees of freedom, {curve.replicates} as
        replicates; knots at {curve.knots.map(short).join(', ')}
      </dd>
      <dt>Samples</dt>
      <dd>
        {samples === null
          ? 'no sample column is known'
          : within.length > 0
            ? `${samples.title} (${samples.reason}): ${nameList(
                within.map(({ name, cells: count }) => `${name} (${formatCount(count)})`),
                20,
              )}`
            : `${samples.title} (${samples.reason}), not tested by themselves`}
      </dd>
      {axis.counts_rho !== null && (
        <>
          <dt>Total counts</dt>
          <dd>Spearman’s correlation with the axis {axis.counts_rho.toFixed(2)}</dd>
        </>
      )}
    </ResultFacts>
  );
}
