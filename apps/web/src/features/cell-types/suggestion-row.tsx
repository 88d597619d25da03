import type { CellTypeParameters, GroupSuggestion, UnclearReason } from '@cellfolio/contract';
import { unclear } from '@cellfolio/contract';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { TableCell, TableHead, TableRow } from '@/components/ui/table.tsx';
import { cn } from '@/lib/cn.ts';
import { counted, formatCount } from '@/lib/format.ts';
import { GroupCheckbox, GroupLabelInput, type GroupLabels } from './group-labels.tsx';
import { MarkerEvidence, pText, scoreText } from './marker-evidence.tsx';

interface SuggestionRowProps {
  suggestion: GroupSuggestion;
  parameters: CellTypeParameters;
  /** What its user calls the group. */
  name: string;
  labels: GroupLabels;
  onGenes: (genes: readonly string[]) => void;
}

/** One group: what is suggested and why, or why nothing is; its markers on request. */
export function SuggestionRow(props: SuggestionRowProps) {
  const { suggestion, parameters, name, labels, onGenes } = props;
  const { group, best, runner_up: next, conflict, margin, cells } = suggestion;
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
          <Suggested suggestion={suggestion} parameters={parameters} />
        </TableCell>
        <TableCell className="text-right tabular-nums">{best ? scoreText(best.score) : ''}</TableCell>
        <TableCell className="text-right tabular-nums">{best ? pText(best.adjusted_p) : ''}</TableCell>
        <TableCell>
          {best && (
            <Button
              variant="ghost"
              size="xs"
              aria-expanded={isOpen}
              aria-controls={id}
              aria-label={`Markers of ${called}: ${best.expressed} of ${best.markers.length} of ${best.type} expressed`}
              onClick={() => setOpen(!isOpen)}
            >
              {best.expressed} of {best.markers.length}
              <ChevronDown aria-hidden className={cn('size-3.5', isOpen && 'rotate-180')} />
            </Button>
          )}
        </TableCell>
        <TableCell className="text-muted max-w-56 wrap-anywhere">
          {next && `${next.type} (${scoreText(next.score)}, ${Math.round(100 * margin)}% below)`}
        </TableCell>
        <TableCell>
          <GroupLabelInput labels={labels} group={group} called={called} />
        </TableCell>
      </TableRow>
      {isOpen && (
        <TableRow>
          <TableCell colSpan={8} id={id}>
            <div className="flex flex-wrap gap-x-8 gap-y-3 pl-8">
              {best && (
                <MarkerEvidence title="Best" evidence={best} parameters={parameters} onGenes={onGenes} />
              )}
              {next && (
                <MarkerEvidence title="Next" evidence={next} parameters={parameters} onGenes={onGenes} />
              )}
              {conflict && (
                <MarkerEvidence
                  title={`Also looks like: ${counted(conflict.both_cells, 'cell')} with two markers of both, ${formatCount(conflict.these_cells)} of this one`}
                  evidence={conflict}
                  parameters={parameters}
                  onGenes={onGenes}
                />
              )}
            </div>
          </TableCell>
        </TableRow>
      )}
    </>
  );
}

function Suggested({ suggestion, parameters }: Pick<SuggestionRowProps, 'suggestion' | 'parameters'>) {
  const { suggestion: type, reasons, best, conflict } = suggestion;
  return (
    <div className="flex min-w-44 flex-col gap-0.5">
      {type === null ? (
        <span className="flex flex-wrap items-center gap-1.5">
          <Badge>{unclear}</Badge>
          {best && <span className="text-muted text-xs">best: {best.type}</span>}
        </span>
      ) : (
        <span className="font-medium">{type}</span>
      )}
      {reasons.map((reason) => (
        <span key={reason} className="text-muted text-xs">
          {reasonText(reason, parameters)}
        </span>
      ))}
      {conflict && <span className="text-warning text-xs">also looks like {conflict.type}</span>}
    </div>
  );
}

function reasonText(reason: UnclearReason, { pval, min_markers, min_margin }: CellTypeParameters): string {
  if (reason === 'not-significant') return `adjusted p not below ${pval}`;
  if (reason === 'not-over-represented') return `too few markers among the top 5% of genes (ora)`;
  if (reason === 'few-markers') return `fewer than ${min_markers} markers expressed`;
  return `next type less than ${Number((100 * min_margin).toPrecision(6))}% below`;
}
