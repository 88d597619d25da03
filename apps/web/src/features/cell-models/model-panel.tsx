import type {
  CellModelAnswer,
  CellModelParameters,
  ModelReason,
  ModelSuggestion,
  ModelVote,
} from '@cellfolio/contract';
import { unclear } from '@cellfolio/contract';
import { ChevronDown, Download, Eye } from 'lucide-react';
import { useId, useState } from 'react';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { DrawnFigure, type FigurePanelProps, useSaveResult } from '@/features/analyses/index.ts';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import {
  ApplyBar,
  GroupCheckbox,
  GroupLabelInput,
  type GroupLabels,
  useGroupLabels,
} from '@/features/cell-types/index.ts';
import { cn } from '@/lib/cn.ts';
import { formatCount, percent } from '@/lib/format.ts';

/** What each group is by most of its cells, with its top genes and its runner-up, and the labels that its user gives. */
export function ModelPanel({ answer, dataset, onGenes }: FigurePanelProps<CellModelAnswer>) {
  const { suggestions, parameters, source } = answer;
  const names = useCategoryNames(dataset.filename);
  const labels = useGroupLabels(suggestions);
  const { save, preparing } = useSaveResult();
  return (
    <div className="flex flex-col gap-3">
      <Table aria-label="Suggested cell types">
        <TableHeader>
          <TableRow>
            <TableHead>
              <span className="sr-only">Apply</span>
            </TableHead>
            <TableHead>{answer.group_title}</TableHead>
            <TableHead>Suggestion</TableHead>
            <TableHead className="text-right">Cells of it</TableHead>
            <TableHead className="text-right">Probability</TableHead>
            <TableHead>Top genes</TableHead>
            <TableHead>Next type</TableHead>
            <TableHead>Label</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          {suggestions.map((suggestion) => (
            <ModelRow
              key={suggestion.group}
              suggestion={suggestion}
              parameters={parameters}
              name={names.ofColumn(parameters.groupby, suggestion.group)}
              labels={labels}
              onGenes={onGenes}
            />
          ))}
        </TableBody>
      </Table>
      <ApplyBar
        labels={labels}
        dataset={dataset}
        column={parameters.groupby}
        title={answer.group_title}
        subset={source.subset}
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

interface ModelRowProps {
  suggestion: ModelSuggestion;
  parameters: CellModelParameters;
  /** What its user calls the group. */
  name: string;
  labels: GroupLabels;
  onGenes: (genes: readonly string[]) => void;
}

function ModelRow({ suggestion, parameters, name, labels, onGenes }: ModelRowProps) {
  const { group, cells, suggestion: type, reasons, margin, best, runner_up: next } = suggestion;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const called = name === '' ? '(no name)' : name;
  return (
    <>
      <TableRow className={cn(isOpen && 'border-b-0')}>
        <TableCell>
          <GroupCheckbox labels={labels} group={group} called={called} />
        </TableCell>
        <TableHead scope="row" className="text-left">
          {called} <span className="text-muted font-normal tabular-nums">({formatCount(cells)})</span>
        </TableHead>
        <TableCell>
          <div className="flex min-w-44 flex-col gap-0.5">
            {type === null ? (
              <span className="flex flex-wrap items-center gap-1.5">
                <Badge>{unclear}</Badge>
                <span className="text-muted text-xs">best: {best.type}</span>
              </span>
            ) : (
              <span className="font-medium">{type}</span>
            )}
            {reasons.map((reason) => (
              <span key={reason} className="text-muted text-xs">
                {reasonText(reason, parameters)}
              </span>
            ))}
          </div>
        </TableCell>
        <TableCell className="text-right tabular-nums">{percent(best.share, 1)}</TableCell>
        <TableCell className="text-right tabular-nums">{best.probability.toFixed(2)}</TableCell>
        <TableCell>
          <Button
            variant="ghost"
            size="xs"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={`Genes of ${called}`}
            disabled={best.genes.length === 0}
            onClick={() => setOpen(!isOpen)}
          >
            <span className="max-w-56 truncate italic">
              {best.genes
                .slice(0, 3)
                .map(({ gene }) => gene)
                .join(', ') || 'none'}
            </span>
            <ChevronDown aria-hidden className={cn('size-3.5', isOpen && 'rotate-180')} />
          </Button>
        </TableCell>
        <TableCell className="text-muted max-w-56 wrap-anywhere">
          {next !== null &&
            next.cells > 0 &&
            `${next.type} (${percent(next.share, 1)}, ${percent(margin, 1)} behind)`}
        </TableCell>
        <TableCell>
          <GroupLabelInput labels={labels} group={group} called={called} />
        </TableCell>
      </TableRow>
      {isOpen && (
        <TableRow>
          <TableCell colSpan={8} id={id}>
            <div className="flex flex-wrap gap-x-8 gap-y-3 pl-8">
              <TopGenes title="Best" vote={best} onGenes={onGenes} />
              {next !== null && next.cells > 0 && <TopGenes title="Next" vote={next} onGenes={onGenes} />}
            </div>
          </TableCell>
        </TableRow>
      )}
    </>
  );
}

function reasonText(
  reason: ModelReason,
  { min_probability, min_share, min_margin }: CellModelParameters,
): string {
  if (reason === 'low-probability') return `mean probability below ${min_probability}`;
  if (reason === 'small-share') return `best of less than ${percent(min_share, 1)} of the cells`;
  return `less than ${percent(min_margin, 1)} of the cells ahead of the next type`;
}

/** Genes that add most to the score of a type in a group. */
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
        Visualize these genes
      </Button>
    </section>
  );
}
