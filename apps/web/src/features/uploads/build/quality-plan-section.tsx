import { processingDefaults } from '@cellfolio/contract';
import type { Job, QualityChoice, QualityPlan } from '@cellfolio/contract';
import { RotateCw, TriangleAlert } from 'lucide-react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { counted, shortName } from '@/lib/format.ts';
import { jobStage } from '../jobs/job-text.ts';
import { reasonsText, removedText } from '../reports/report-text.ts';
import { effectiveChoice, isPlanOf } from './live-thresholds.ts';
import type { Measure } from './live-thresholds.ts';
import { QualityTable } from './quality-table.tsx';

interface QualityPlanSectionProps {
  /** Absent if not computed. */
  plan: QualityPlan | undefined;
  /** The settings as typed. */
  choice: QualityChoice;
  /** Computes the plan with the settings as typed; absent if the user cannot start jobs. */
  onUpdate: (() => void) | undefined;
  /** A line was dragged. */
  onThreshold: (measure: Measure, value: number) => void;
  /** Under way on the file. */
  inspecting: Job | null;
  /** Requested, without a response yet. */
  pending: boolean;
}

/** Which cells a build would take away, before it does. */
export function QualityPlanSection({
  plan,
  choice,
  onUpdate,
  onThreshold,
  inspecting,
  pending,
}: QualityPlanSectionProps) {
  const fresh = plan !== undefined && isPlanOf(plan, choice);
  const busy = pending || inspecting !== null;
  return (
    <div className="flex flex-col gap-3">
      {plan !== undefined && (
        <p className="text-muted text-[13px]">
          {methodText(plan, choice)} Drag a line to set its threshold for all samples.
        </p>
      )}
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <p role="status" className="min-w-40 flex-1 text-[13px] tabular-nums">
          {statusText({ plan, fresh, busy: inspecting === null ? null : jobStage(inspecting) })}
        </p>
        {!fresh && onUpdate !== undefined && (
          <Button type="button" variant="secondary" size="sm" disabled={busy} onClick={onUpdate}>
            {busy ? <Spinner /> : <RotateCw aria-hidden />}
            Update numbers
          </Button>
        )}
      </div>
      {fresh &&
        plan.cautions.map(({ code, message }) => (
          <Alert key={code} variant="warning">
            <TriangleAlert aria-label="Caution:" />
            <span className="wrap-anywhere">{message}</span>
          </Alert>
        ))}
      {plan !== undefined && <QualityTable {...{ plan, choice, fresh, onThreshold }} />}
    </div>
  );
}

function statusText({
  plan,
  fresh,
  busy,
}: {
  plan: QualityPlan | undefined;
  fresh: boolean;
  busy: string | null;
}): string {
  if (busy !== null) return `${busy}…`;
  if (plan === undefined) return 'Which cells these settings remove has not been computed yet.';
  if (!fresh) return 'The lines show the settings above; the numbers are those of the settings before.';
  const { removed, cells } = plan;
  if (removed.all === 0) return `None of ${counted(cells, 'cell')} would be removed.`;
  return `${removedText(removed, cells)} cells would be removed: ${reasonsText(removed)}.`;
}

/** The method, with the reason for a default. */
function methodText(
  { sampleColumn, groups, mitochondrialGenes, droplets }: QualityPlan,
  choice: QualityChoice,
): string {
  const deviations = choice.deviations ?? processingDefaults.deviations;
  const whose =
    sampleColumn === undefined || groups.length === 1
      ? 'of all cells'
      : `of each sample (column ${shortName(sampleColumn)}), since samples differ in depth`;
  const mitochondrial =
    mitochondrialGenes === 0
      ? 'No mitochondrial genes were found, so there is no filter for them.'
      : choice.maximumMitochondrial === undefined
        ? 'Up to 8 % mitochondrial counts are always kept.'
        : '';
  const called =
    droplets?.keep === 'called'
      ? 'Called cells are not filtered by counts or genes unless you set a minimum.'
      : '';
  const { minimumCounts, minimumGenes, maximumMitochondrial } = effectiveChoice({ droplets }, choice);
  const left =
    minimumCounts === undefined ||
    minimumGenes === undefined ||
    (maximumMitochondrial === undefined && mitochondrialGenes > 0);
  const limits = left
    ? `Thresholds that are not typed are ${deviations} median absolute deviations from the median ${whose}.`
    : '';
  const explanation = [limits, mitochondrial, called].filter((text) => text !== '').join(' ');
  return `${explanation} Bar heights are square roots of cell numbers; cells on the red side are removed.`;
}
