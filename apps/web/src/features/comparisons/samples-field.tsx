import { nestedSamplesText } from '@cellfolio/analyses';
import { columnTitle, type DatasetAnalysis, type MapColumnList } from '@cellfolio/contract';
import { ColumnField } from '@/features/map/index.ts';
import { plural } from '@/lib/format.ts';

interface SamplesFieldProps {
  analysis: DatasetAnalysis;
  columns: MapColumnList['obs'];
  /** A column of obs; empty for the one recorded with the dataset. */
  samples: string;
  /** Whether samples, rather than cells, are tested. */
  areReplicates: boolean;
  onChange: (samples: string) => void;
}

export function SamplesField({
  analysis,
  columns,
  samples: chosen,
  areReplicates,
  onChange,
}: SamplesFieldProps) {
  const detected = analysis.samples;
  const samples = chosen === '' ? detected : { column: chosen, reason: 'the column that you chose' };
  const count = columns.find(({ name }) => name === samples?.column)?.categories;
  const nested = nestedSamplesText(chosen, detected);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <ColumnField
        label="Samples"
        columns={columns}
        chosen={chosen}
        none={detected ? `${columnTitle(detected.column)} (detected)` : 'None detected'}
        onChoose={onChange}
      />
      {nested !== undefined && <p className="text-warning text-xs">{nested}</p>}
      <p className="text-muted text-xs">
        {samples === undefined
          ? 'No sample column is known.'
          : `${columnTitle(samples.column)}: ${samples.reason}, ${count === undefined ? 'a number of samples' : plural(count, 'sample')}.`}{' '}
        {!areReplicates &&
          (samples === undefined
            ? 'Each cell counts as a replicate: if few samples were pooled, p-values are too small.'
            : 'Each cell counts as a replicate, but cells of one sample are similar: p-values are too small and describe only these samples.')}
      </p>
    </div>
  );
}
