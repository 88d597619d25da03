import type {
  CellModelAnswer,
  CellModelParameters,
  ModelReason,
  ModelSuggestion,
  ModelVote,
} from '@cellfolio/contract';
import { Download, Eye } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { DrawnFigure, type FigurePanelProps, useSaveResult } from '@/features/analyses/index.ts';
import { GroupRow, SuggestedLabels, type SuggestionRowProps } from '@/features/cell-types/index.ts';
import { percent, plural } from '@/lib/format.ts';

export function ModelPanel({ answer, dataset, onGenes }: FigurePanelProps<CellModelAnswer>) {
  const { suggestions, parameters, source } = answer;
  const { save, preparing } = useSaveResult();
  return (
    <div className="flex flex-col gap-3">
      <SuggestedLabels
        {...{ suggestions, parameters, dataset, onGenes }}
        title={answer.group_title}
        headings={['Its cells', 'Probability', 'Top genes']}
        subset={source.subset}
        Row={ModelRow}
      />
      <Button
        variant="secondary"
        size="sm"
        className="self-start"
        disabled={preparing}
        onClick={() =>
          save({
            name: 'cell_model_cells.csv',
            what: 'CSV',
            file: () => new Blob([answer.cells_csv], { type: 'text/csv;charset=utf-8' }),
          })
        }
      >
        <Download aria-hidden />
        Type and probability of each cell, CSV
      </Button>
      {answer.dotplot_image !== '' && (
        <DrawnFigure source={source} alt="Dot plot of the top genes of the types" word="dot plot" />
      )}
    </div>
  );
}

type RowProps = SuggestionRowProps<ModelSuggestion, CellModelParameters>;

function ModelRow({ suggestion, parameters, name, labels, onGenes }: RowProps) {
  const { group, cells, reasons, margin, best, runner_up: second } = suggestion;
  const next = second !== null && second.cells > 0 ? second : null;
  const leading = best.genes.slice(0, 3).map(({ gene }) => gene);
  return (
    <GroupRow
      group={group}
      name={name}
      cells={cells}
      suggestion={suggestion.suggestion}
      best={best.type}
      reasons={reasons.map((reason) => reasonText(reason, parameters))}
      numbers={[percent(best.share, 1), best.probability.toFixed(2)]}
      opener={{
        text: <span className="max-w-56 truncate italic">{leading.join(', ') || 'none'}</span>,
        label: (called) => `Genes of ${called}`,
        disabled: best.genes.length === 0,
      }}
      next={next && `${next.type} (${percent(next.share, 1)}, ${percent(margin, 1)} behind)`}
      labels={labels}
    >
      <TopGenes title="Best" vote={best} onGenes={onGenes} />
      {next && <TopGenes title="Next" vote={next} onGenes={onGenes} />}
    </GroupRow>
  );
}

function reasonText(
  reason: ModelReason,
  { min_probability, min_share, min_margin }: CellModelParameters,
): string {
  if (reason === 'low-probability') return `mean probability below ${min_probability}`;
  if (reason === 'small-share') return `best in less than ${percent(min_share, 1)} of the cells`;
  return `less than ${percent(min_margin, 1)} of the cells ahead of the next type`;
}

function TopGenes({
  title,
  vote: { type, genes },
  onGenes,
}: {
  title: string;
  vote: ModelVote;
  onGenes: (genes: readonly string[]) => void;
}) {
  return (
    <section aria-label={`${title}: ${type}`} className="flex max-w-md flex-col gap-1">
      <p className="text-xs">
        <span className="text-muted">{title}:</span> <span className="font-medium">{type}</span>
      </p>
      <table className="text-xs tabular-nums">
        <thead className="text-muted text-left">
          <tr>
            <th className="pr-4 font-normal">Gene</th>
            <th className="text-right font-normal">Adds to the score</th>
          </tr>
        </thead>
        <tbody>
          {genes.map(({ gene, contribution }) => (
            <tr key={gene}>
              <td className="pr-4 italic">{gene}</td>
              <td className="text-right">{contribution.toFixed(2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button
        variant="secondary"
        size="xs"
        className="self-start"
        disabled={genes.length === 0}
        onClick={() => onGenes(genes.map(({ gene }) => gene))}
      >
        <Eye aria-hidden />
        {`Visualize ${plural(genes.length, 'gene')}`}
      </Button>
    </section>
  );
}
