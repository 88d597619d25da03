import { covariatesText, degreesText, leftOutText, type PseudobulkResult } from '@cellfolio/analyses';
import type { ComparisonAnswer } from '@cellfolio/contract';
import { columnTitle, foldChangeWords, isOfSums } from '@cellfolio/contract';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { type FactsProps, ResultFacts } from '@/features/analyses/index.ts';
import { namesText, useCategoryNames } from '@/features/category-displays/index.ts';
import { formatCount, plural } from '@/lib/format.ts';

export function ComparisonFacts({ answer, onRun }: FactsProps<ComparisonAnswer, object>) {
  const { a, b, groups, samples, pseudobulk, parameters } = answer;
  const sum = (count: (group: ComparisonAnswer['groups'][number]) => number) =>
    groups.reduce((total, group) => total + count(group), 0);
  const facts = (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">A:</span> {a.name}, {plural(a.cells, 'cell')} ·{' '}
          <span className="font-medium">B:</span> {b.name}
          {/* The name of the rest is its number. */}
          {parameters.b !== undefined && `, ${plural(b.cells, 'cell')}`} ·{' '}
          {formatCount(sum(({ higher }) => higher))} higher in A, {formatCount(sum(({ lower }) => lower))}{' '}
          higher in B
        </>
      }
    >
      <TestFacts answer={answer} />
      {pseudobulk !== null && <DesignFacts pseudobulk={pseudobulk} groups={groups} />}
      <dt>Counted</dt>
      <dd>
        adjusted p &lt; {parameters.pvals_adj} and a log2 fold change of at least {parameters.logfoldchanges}{' '}
        in either direction
      </dd>
      <dt>{pseudobulk === null ? 'Samples' : 'Replicates'}</dt>
      <dd>
        {samples === null
          ? 'no sample column is known'
          : `${columnTitle(samples.column)} (${samples.reason}): ${formatCount(samples.a)} in A, ${formatCount(samples.b)} in B, ${formatCount(samples.both)} in both`}
      </dd>
      {parameters.within !== undefined && pseudobulk === null && (
        <>
          <dt>Groups</dt>
          <dd>
            <GroupTable answer={answer} column={parameters.within} />
          </dd>
        </>
      )}
    </ResultFacts>
  );
  const { within_offered: types } = answer;
  // A request for the ends of a ranking has their fields beside the others.
  const request = { ...parameters, ...parameters.ends };
  return (
    <>
      {facts}
      {types !== null && (
        <Offer button="Compare within each type" onRun={() => onRun({ ...request, within: types })}>
          A and B differ in their shares of {columnTitle(types)}. A comparison within each group does not
          depend on them.
        </Offer>
      )}
      {answer.pseudobulk_offered && (
        <Offer button="Run pseudobulk instead" onRun={() => onRun({ ...request, method: 'pseudobulk' })}>
          Pseudobulk uses samples instead of cells as replicates. It needs raw counts and samples; this
          dataset has both.
        </Offer>
      )}
    </>
  );
}

/** Another way to compare the same sides, one click away. */
function Offer({ button, children, onRun }: { button: string; children: ReactNode; onRun: () => void }) {
  return (
    <p className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 text-[13px]">
      <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
      <Button variant="secondary" size="sm" onClick={onRun}>
        {button}
      </Button>
    </p>
  );
}

function TestFacts({ answer: { test, pseudobulk, parameters } }: { answer: ComparisonAnswer }) {
  const { interaction, method } = parameters;
  const words = isOfSums(method) ? sumWords[method] : sumWords.pseudobulk;
  if (pseudobulk === null) {
    return (
      <>
        <dt>Test</dt>
        <dd>{test}; p-values adjusted by Benjamini and Hochberg over all genes</dd>
        <dt>Fold change</dt>
        <dd>{foldChangeWords(parameters, ['A', 'B'])}</dd>
      </>
    );
  }
  return (
    <>
      <dt>Test</dt>
      <dd>
        {test}: raw counts summed by sample and side, {words.test(parameters)}; p-values adjusted by Benjamini
        and Hochberg over the tested genes
        {method === 'negative-binomial' && ' and not filtered out'}
      </dd>
      <dt>Fold change</dt>
      <dd>
        {interaction === undefined
          ? `${words.effect}, with limits of 95 %`
          : `how far the log2 fold change of A over B changes with ${columnTitle(interaction)}, with limits of 95 %`}
      </dd>
    </>
  );
}

const sumWords = {
  pseudobulk: {
    test: (parameters: ComparisonAnswer['parameters']) =>
      `genes filtered by counts (filterByExpr), libraries normalized (TMM), values weighted (voom), ${correlationWords(parameters)}moderated t-tests (eBayes${moderationWords(parameters)})`,
    effect: 'moderated log2 fold change of counts per million',
  },
  'quasi-likelihood': {
    test: () =>
      'genes filtered by counts (filterByExpr), libraries normalized (TMM), negative binomial dispersions by a trend over the mean (estimateDisp), quasi-likelihood dispersions shrunken towards theirs (glmQLFit), F tests (glmQLFTest)',
    effect: 'log2 fold change of counts plus 0.125, so that it is finite',
  },
  'negative-binomial': {
    test: () =>
      'size factors by the median of ratios, dispersions shrunken towards their curve, Wald tests, outliers by Cook’s distance, independent filtering (DESeq2)',
    effect: 'maximum likelihood log2 fold change, not shrunken',
  },
} as const;

function correlationWords({ random_effect: random }: ComparisonAnswer['parameters']): string {
  return random === undefined
    ? ''
    : `samples of one value of ${columnTitle(random)} correlated (duplicateCorrelation), `;
}

function moderationWords({ trend, robust }: ComparisonAnswer['parameters']): string {
  return `${trend ? ', with a trend' : ''}${robust ? ', robust' : ''}`;
}

function GroupTable({ answer: { groups, source }, column }: { answer: ComparisonAnswer; column: string }) {
  const title = columnTitle(column);
  const { ofColumn } = useCategoryNames(source?.dataset_filename);
  const cell = (name: string, few: boolean) => `${ofColumn(column, name)}${few ? '*' : ''}`;
  return (
    <Table aria-label={`Groups of ${title}`}>
      <TableHeader>
        <TableRow>
          <TableHead>{title}</TableHead>
          <TableHead className="text-right">Cells of A</TableHead>
          <TableHead className="text-right">Cells of B</TableHead>
          <TableHead className="text-right">Higher in A</TableHead>
          <TableHead className="text-right">Higher in B</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody className="tabular-nums">
        {groups.map(({ name, cells_a: inA, cells_b: inB, higher, lower, few_cells: few }) => (
          <TableRow key={name}>
            <TableCell title={namesText(ofColumn(column, name), name)}>{cell(name, few)}</TableCell>
            <TableCell className="text-right">{formatCount(inA)}</TableCell>
            <TableCell className="text-right">{formatCount(inB)}</TableCell>
            <TableCell className="text-right">{formatCount(higher)}</TableCell>
            <TableCell className="text-right">{formatCount(lower)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

type Part = PseudobulkResult['parts'][number];

interface DesignFactsProps {
  pseudobulk: PseudobulkResult;
  groups: ComparisonAnswer['groups'];
}

function DesignFacts({ pseudobulk: { parts, refused }, groups }: DesignFactsProps) {
  const isParted = parts.length + refused.length > 1;
  return (
    <>
      <dt>Design</dt>
      <dd>
        <Table aria-label="Models and samples">
          <TableHeader>
            <TableRow>
              {isParted && <TableHead>Group</TableHead>}
              <TableHead>Model</TableHead>
              <TableHead className="text-right">Samples, A + B</TableHead>
              <TableHead className="text-right">Degrees of freedom</TableHead>
              <TableHead className="text-right">Genes tested</TableHead>
              <TableHead className="text-right">Higher in A</TableHead>
              <TableHead className="text-right">Higher in B</TableHead>
            </TableRow>
          </TableHeader>
          <TableBody className="tabular-nums">
            {parts.map((part, at) => (
              <TableRow key={part.name}>
                {isParted && <TableCell>{part.name === '' ? '(no name)' : part.name}</TableCell>}
                <TableCell>{part.formula}</TableCell>
                <TableCell className="text-right">
                  {formatCount(samplesOn(part, 'a'))} + {formatCount(samplesOn(part, 'b'))}
                </TableCell>
                <TableCell className="text-right">
                  {part.dispersions === null ? degreesText(part) : formatCount(part.residual_df)}
                </TableCell>
                <TableCell className="text-right">
                  {formatCount(part.genes_tested)} of {formatCount(part.genes_tested + part.genes_not_tested)}
                </TableCell>
                <TableCell className="text-right">{formatCount(groups[at]?.higher ?? 0)}</TableCell>
                <TableCell className="text-right">{formatCount(groups[at]?.lower ?? 0)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </dd>
      {parts.some(({ columns }) => columns.length > 1) && (
        <>
          <dt>Covariates</dt>
          <dd>{[...new Set(parts.flatMap(covariatesText))].join('; ')}</dd>
        </>
      )}
      {parts.some(({ correlation }) => correlation !== null) && (
        <>
          <dt>Correlation</dt>
          <dd>
            {parts
              .flatMap(({ name, correlation }) =>
                correlation === null ? [] : `${name === '' ? '' : `${name}: `}${correlation.toFixed(2)}`,
              )
              .join('; ')}{' '}
            between samples of one unit (consensus of the genes tested)
          </dd>
        </>
      )}
      {parts[0]?.dispersions && <DispersionFacts parts={parts} />}
      <LeftOut parts={parts} />
      {refused.length > 0 && (
        <>
          <dt>Not tested</dt>
          <dd>
            <ul className="flex flex-col gap-1">
              {refused.map(({ name, reason }) => (
                <li key={name}>
                  <span className="font-medium">{name === '' ? '(no name)' : name}:</span> {reason}
                </li>
              ))}
            </ul>
          </dd>
        </>
      )}
    </>
  );
}

function DispersionFacts({ parts }: { parts: readonly Part[] }) {
  return (
    <>
      <dt>Dispersions</dt>
      <dd>
        <ul className="flex flex-col gap-1">
          {parts.map(({ name, dispersions }) => (
            <li key={name}>
              {parts.length > 1 && <span className="font-medium">{name === '' ? '(no name)' : name}: </span>}
              {dispersions && dispersionWords(dispersions)}
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}

function dispersionWords(dispersions: NonNullable<Part['dispersions']>): string {
  const { trend, coefficients, least_mean: minMean, filtered, outliers, replaced } = dispersions;
  const [a0, a1] = coefficients.map((value) => value.toPrecision(3));
  return [
    trend === 'mean'
      ? `shrunken towards ${a0} at every mean count`
      : `shrunken towards ${a0} + ${a1} / mean count`,
    `${plural(filtered, 'gene')} below a mean count of ${minMean.toPrecision(2)} filtered out`,
    `${plural(outliers, 'gene')} without a p-value for an outlier`,
    `${plural(replaced, 'gene')} with a count replaced`,
  ].join('; ');
}

function LeftOut({ parts }: { parts: readonly Pick<Part, 'name' | 'left_out'>[] }) {
  const left = parts.flatMap(({ name, left_out: sums }) => leftOutText(sums, name));
  if (left.length === 0) return null;
  return (
    <>
      <dt>Left out</dt>
      <dd>{left.join('; ')}</dd>
    </>
  );
}

function samplesOn({ samples }: Part, side: 'a' | 'b'): number {
  return samples.filter((sample) => sample.side === side).length;
}
