import { covariatesText, degreesText, leftOutText, type PseudobulkResult } from '@cellfolio/analyses';
import type { ComparisonAnswer } from '@cellfolio/contract';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { formatCount, plural } from '@/lib/format.ts';

type Part = PseudobulkResult['parts'][number];

interface DesignFactsProps {
  pseudobulk: PseudobulkResult;
  groups: ComparisonAnswer['groups'];
}

export function DesignFacts({ pseudobulk: { parts, refused }, groups }: DesignFactsProps) {
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
