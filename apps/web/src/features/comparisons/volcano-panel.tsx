import type { ComparisonAnswer } from '@cellfolio/contract';
import { Eye } from 'lucide-react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import type { FigurePanelProps } from '@/features/analyses/index.ts';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { formatCount } from '@/lib/format.ts';
import { useShownTheme } from '@/lib/use-browser.ts';
import { mostDiffering } from './follow-ups.ts';
import { VolcanoChart } from './volcano-chart.tsx';
import { type VolcanoPoint, volcanoAxes, volcanoPoints } from './volcano-points.ts';
import { nearestPoint, volcanoScales } from './volcano-scales.ts';

/** Pixels of the page from a point within which it is meant. */
const reach = 14;

/** All genes of a comparison as points; a gene that is pointed at is named, one that is clicked can be drawn on the cells. */
export function VolcanoPanel({ answer, columns, group, onGene }: FigurePanelProps<ComparisonAnswer>) {
  const { pvals_adj: adjustedP, logfoldchanges: foldChange, within } = answer.parameters;
  const [chosenPart, setChosenPart] = useState<string | undefined>();
  const part =
    within === undefined ? undefined : (chosenPart ?? (group === '' ? mostDiffering(answer) : group));
  const thresholds = useMemo(() => ({ adjustedP, foldChange }), [adjustedP, foldChange]);
  const points = useMemo(() => volcanoPoints(columns, part, thresholds), [columns, part, thresholds]);
  const axes = useMemo(() => volcanoAxes(points, thresholds), [points, thresholds]);
  const scales = useMemo(() => volcanoScales(axes), [axes]);
  const [pointed, setPointed] = useState<VolcanoPoint | undefined>();
  const [chosenRow, setChosenRow] = useState<number | undefined>();
  const chosen = points.find(({ row }) => row === chosenRow);
  const dark = useShownTheme() === 'dark';

  const pointAt = ({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, top, width } = currentTarget.getBoundingClientRect();
    const zoom = width / scales.width;
    return nearestPoint(points, scales, {
      x: (clientX - left) / zoom,
      y: (clientY - top) / zoom,
      reach: reach / zoom,
    });
  };
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (event.key === 'Enter' && chosen) onGene(chosen.gene);
    if (by === 0 || points.length === 0) return;
    event.preventDefault();
    const now = chosen ? points.indexOf(chosen) : by > 0 ? -1 : points.length;
    setChosenRow(points[(now + by + points.length) % points.length]!.row);
  };
  const shown = pointed ?? chosen;
  return (
    // As high as the dialog has room for, beneath its facts and cautions.
    <div className="mx-auto flex max-w-[max(34rem,calc((100dvh-31rem)*1.65))] flex-col gap-2">
      {part !== undefined && <GroupChoice answer={answer} part={part} onChoose={setChosenPart} />}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- genes are gone through with the arrow keys */}
      <div
        role="group"
        tabIndex={0}
        aria-label={`Volcano plot of ${answer.a.name} against ${answer.b.name}. Arrow keys go through the genes, the surest first; Enter visualizes one.`}
        className="rounded-md border -outline-offset-2"
        onKeyDown={step}
      >
        <VolcanoChart
          points={points}
          scales={scales}
          thresholds={thresholds}
          sides={{ a: answer.a.name, b: answer.b.name }}
          shown={shown}
          dark={dark}
          onPointerMove={(event) => setPointed(pointAt(event))}
          onPointerLeave={() => setPointed(undefined)}
          onClick={(event) => setChosenRow(pointAt(event)?.row)}
        />
      </div>
      <div className="flex min-h-9 flex-wrap items-center gap-2 text-[13px]">
        <p role="status" className="min-w-0 flex-1 wrap-anywhere tabular-nums">
          {shown
            ? pointWords(shown)
            : `${formatCount(points.length)} genes. Point at one, or click it to draw it on the cells.`}
        </p>
        {chosen && (
          <Button variant="secondary" size="sm" onClick={() => onGene(chosen.gene)}>
            <Eye aria-hidden />
            Visualize {chosen.gene}
          </Button>
        )}
      </div>
    </div>
  );
}

interface GroupChoiceProps {
  answer: ComparisonAnswer;
  part: string;
  onChoose: (part: string) => void;
}

function GroupChoice({ answer, part, onChoose }: GroupChoiceProps) {
  const { ofColumn } = useCategoryNames(answer.source?.dataset_filename);
  return (
    <Select value={`=${part}`} onValueChange={(value) => onChoose(value.slice(1))}>
      <SelectTrigger data-size="sm" className="w-72" aria-label="Group of the volcano plot">
        <SelectValue />
      </SelectTrigger>
      <SelectContent>
        {answer.groups.map(({ name, higher, lower }) => (
          <SelectItem key={name} value={`=${name}`}>
            {`${ofColumn(answer.parameters.within, name) || '(no name)'}: ${formatCount(higher)} higher, ${formatCount(lower)} lower`}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}

function pointWords({ gene, change, adjustedP }: VolcanoPoint): string {
  const p =
    adjustedP === 0 ? '< 2.2e-308' : adjustedP >= 0.001 ? adjustedP.toFixed(3) : adjustedP.toExponential(1);
  const size = Number.isFinite(change) ? change.toFixed(2).replace('-', '−') : change > 0 ? '∞' : '−∞';
  return `${gene}: log2 fold change ${size}, adjusted p ${p.replace('e-', 'e−')}`;
}
