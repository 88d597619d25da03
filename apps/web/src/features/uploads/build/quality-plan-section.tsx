import { deviationScale, processingDefaults, soundMitochondrial } from '@cellfolio/contract';
import type { Job, QualityChoice, QualityPlan } from '@cellfolio/contract';
import { Info, RotateCw, TriangleAlert } from 'lucide-react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { formatCount, plural, shortName } from '@/lib/format.ts';
import { jobStage } from '../jobs/job-text.ts';
import { reasonsText, removedText, shareText } from '../reports/report-text.ts';
import { isPlanOf } from './live-thresholds.ts';
import type { Measure } from './live-thresholds.ts';
import { QualityTable, Reserved } from './quality-table.tsx';
import { removalsOf } from './removed-cells.ts';
import type { Removals } from './removed-cells.ts';

const ofThresholds: ReadonlySet<string> = new Set([
  'removed-cells-together',
  'loose-mitochondrial-threshold',
]);

interface QualityPlanSectionProps {
  plan: QualityPlan | undefined;
  choice: QualityChoice;
  /** Computes the plan with the settings as typed; absent if that is automatic, or the user cannot start jobs. */
  update: (() => void) | undefined;
  onThreshold: (measure: Measure, value: number) => void;
  onHold: (held: boolean) => void;
  inspecting: Job | null;
  /** Requested, without a response yet. */
  pending: boolean;
}

export function QualityPlanSection(props: QualityPlanSectionProps) {
  const { plan, choice, update, onThreshold, onHold, inspecting, pending } = props;
  const busy = pending || inspecting !== null;
  const fresh = plan !== undefined && isPlanOf(plan, choice);
  const button = update !== undefined && (
    <Button
      type="button"
      variant="secondary"
      size="sm"
      // Its place is kept.
      style={{ visibility: fresh ? 'hidden' : 'visible' }}
      disabled={busy}
      onClick={update}
    >
      {busy ? <Spinner /> : <RotateCw aria-hidden />}
      Update numbers
    </Button>
  );
  const stage = inspecting === null ? undefined : `${jobStage(inspecting)}…`;
  if (plan === undefined) {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p role="status" className="min-w-40 flex-1 text-[13px]">
          {stage ?? 'Update the numbers to see which cells these settings remove.'}
        </p>
        {button}
      </div>
    );
  }
  const removals = removalsOf(plan, choice);
  const { variant, text } = summaryOf(plan, removals);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted text-[13px]">{methodText(plan, choice)}</p>
      <div className="flex items-center gap-3">
        <Alert
          variant={variant}
          role="status"
          aria-busy={!fresh}
          className="flex-1 items-center [&>svg]:mt-0"
        >
          {!fresh && busy ? <Spinner /> : variant === 'neutral' ? <Info aria-hidden /> : <TriangleAlert />}
          <Reserved longest={longestSummary(plan)} className="flex-1 items-center">
            {text ?? stage ?? 'These numbers belong to the previous settings.'}
          </Reserved>
        </Alert>
        {button}
      </div>
      <QualityTable {...{ plan, choice, onThreshold, onHold }} removals={removals.groups} />
      {plan.cautions.map(({ code, message }) => (
        <Alert
          key={code}
          variant="warning"
          // It may not hold for other thresholds; its place is kept.
          style={{ visibility: fresh || !ofThresholds.has(code) ? 'visible' : 'hidden' }}
        >
          <TriangleAlert aria-label="Caution:" />
          <span className="wrap-anywhere">{message}</span>
        </Alert>
      ))}
    </div>
  );
}

interface Summary {
  variant: 'neutral' | 'warning' | 'danger';
  text?: string;
}

/** Number of removed cells; a warning if it is more than half of them, or of a sample. */
function summaryOf(plan: QualityPlan, { all, groups }: Removals): Summary {
  if (all === undefined) return { variant: 'neutral' };
  const { removed, exact } = all;
  const { cells } = plan;
  if (removed.all === 0 && exact) {
    return { variant: 'neutral', text: `None of ${plural(cells, 'cell')} would be removed.` };
  }
  if (removed.all === cells) {
    return {
      variant: 'danger',
      text: `All ${plural(cells, 'cell')} would be removed, so there is nothing to build. Loosen the thresholds.`,
    };
  }
  const number = `${exact ? '' : 'about '}${removedText(removed, cells)}`;
  const emptied = plan.groups.flatMap(({ sample, cells: ofSample }, at) => {
    const share = (groups[at]?.removed.all ?? 0) / ofSample;
    return share > 0.5 ? [{ sample, share }] : [];
  });
  if (2 * removed.all > cells) {
    return { variant: 'warning', text: `More than half of the cells would be removed: ${number}.` };
  }
  const [first, ...others] = emptied;
  if (first !== undefined) {
    const name = first.sample === undefined ? 'cells without a sample' : shortName(first.sample);
    const more = others.length === 0 ? '' : ` and of ${plural(others.length, 'more sample')}`;
    return {
      variant: 'warning',
      text: `More than half of the cells of ${name} (${shareText(first.share)})${more} would be removed; ${number} in all.`,
    };
  }
  return {
    variant: 'neutral',
    text: `${capital(number)} cells would be removed: ${reasonsText(removed)}.`,
  };
}

function longestSummary({ cells, mitochondrialGenes }: QualityPlan): string {
  const mitochondrial = mitochondrialGenes > 0 ? cells : 0;
  const every = { all: cells, noCounts: cells, counts: cells, genes: cells, mitochondrial, several: cells };
  return `About ${formatCount(cells)} of ${formatCount(cells)} (99.9 %) cells would be removed: ${reasonsText(every)}.`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * Method and the reason for a default. The number of deviations is the only setting in it, so its height stays constant
 * while thresholds are moved.
 */
function methodText(
  { sampleColumn, groups, mitochondrialGenes, droplets }: QualityPlan,
  choice: QualityChoice,
): string {
  const deviations = choice.deviations ?? processingDefaults.deviations;
  const called = droplets?.keep === 'called';
  const scopeText =
    sampleColumn === undefined || groups.length === 1
      ? 'of all cells'
      : `of each sample (column ${shortName(sampleColumn)}), since samples differ in depth`;
  const limits =
    called && mitochondrialGenes === 0
      ? []
      : [
          `Thresholds you do not set are ${deviations} median absolute deviations from the median ${scopeText}.`,
          `A deviation is ${deviationScale} × MAD of log counts and log genes: ${deviations} here = nmads ${(deviations * deviationScale).toFixed(1)} in is_outlier of sc-best-practices.`,
        ];
  return [
    ...limits,
    mitochondrialGenes === 0
      ? 'No mitochondrial genes were found, so there is no filter for them.'
      : `Up to ${100 * soundMitochondrial} % mitochondrial counts are always kept unless a maximum is set.`,
    ...(called ? ['Called cells are not filtered by counts or genes unless you set a minimum.'] : []),
    'Bar heights are square roots of cell numbers; cells on the red side are removed.',
    'Drag a line to set its threshold for all samples, or move it with the arrow keys, Page Up and Down, Home and End.',
  ].join(' ');
}
