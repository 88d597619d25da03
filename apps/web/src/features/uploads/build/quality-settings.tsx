import {
  type QualityPlan,
  deviationScale,
  processingDefaults,
  soundMitochondrial,
  type Job,
  type QualityChoice,
} from '@cellfolio/contract';
import { useState, useEffect, useEffectEvent } from 'react';
import { Info, RotateCw, TriangleAlert } from 'lucide-react';
import { Field } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { formatCount, plural, shortName } from '@/lib/format.ts';
import type { FileState } from '../file-state.ts';
import { type H5adReport, reasonsText, removedText, shareText } from '../reports/report-text.ts';
import { useStartPlan } from '../jobs/job-calls.ts';
import { jobStage } from '../jobs/job-text.ts';
import { SettingFields } from './build-fields.tsx';
import { isSound, qualityChoice, type BuildForm, buildRequest } from './build-form.ts';
import { DropletSection } from './droplet-section.tsx';
import { isOfSameCells, type Measure, isPlanOf } from './live-thresholds.ts';
import type { Setting } from './processing-settings.ts';
import { QualityTable, Reserved } from './quality-table.tsx';
import { removalsOf, type Removals } from './removed-cells.ts';

interface QualitySettingsProps {
  userId: string;
  fileId: string;
  report: H5adReport;
  inspecting: FileState['inspecting'];
  allowed: boolean;
  settings: readonly Setting[];
  form: BuildForm;
  onChange: (form: BuildForm) => void;
}

/** Called cells are not filtered by these unless a minimum is set. */
function unfiltered(setting: Setting): Setting {
  const none = setting.name === 'minimumCounts' || setting.name === 'minimumGenes';
  return none ? { ...setting, default: 'None', hint: 'Of called cells: no limit unless set.' } : setting;
}

function calledCells({ quality }: H5adReport): boolean {
  return quality?.droplets?.keep === 'called';
}

export function QualitySettings(props: QualitySettingsProps) {
  const { userId, fileId, report, inspecting, allowed, settings, form, onChange } = props;
  // While a line is dragged, numbers of an earlier wish that arrive would move what is below them.
  const [held, setHeld] = useState<QualityPlan>();
  const plan = held ?? report.quality;
  const choice = qualityChoice(form);
  const { pending, update } = useQualityPlan({
    userId,
    fileId,
    plan,
    form,
    mayAsk: allowed && isSound(form, settings),
    waits: held !== undefined,
    inspecting: inspecting !== null,
  });
  const droplets = plan?.droplets;
  return (
    <section aria-labelledby="build-quality" className="flex flex-col gap-3">
      {droplets !== undefined && (
        <DropletSection
          droplets={droplets}
          choice={form.droplets}
          fresh={plan !== undefined && isOfSameCells(plan, choice)}
          onChange={(chosen) => {
            const { droplets: _, ...others } = form;
            onChange(chosen === undefined ? others : { ...others, droplets: chosen });
          }}
        />
      )}
      <h3 id="build-quality" className="text-sm font-semibold">
        Quality control
      </h3>
      <SettingFields
        settings={calledCells(report) ? settings.map(unfiltered) : settings}
        typed={form.settings}
        onChange={(typed) => onChange({ ...form, settings: typed })}
      >
        <SampleField
          plan={plan}
          value={form.sampleColumn}
          onChange={(chosen) => {
            const { sampleColumn: _, ...others } = form;
            onChange(chosen === undefined ? others : { ...others, sampleColumn: chosen });
          }}
        />
      </SettingFields>
      <QualityPlanSection
        {...{ plan, choice, inspecting, pending, update }}
        onThreshold={(measure, value) =>
          onChange({ ...form, settings: { ...form.settings, ...typedThreshold(measure, value) } })
        }
        onHold={(isHeld) => setHeld(isHeld ? report.quality : undefined)}
      />
    </section>
  );
}

function typedThreshold(measure: Measure, value: number): BuildForm['settings'] {
  switch (measure) {
    case 'counts':
      return { minimumCounts: String(value) };
    case 'genes':
      return { minimumGenes: String(value) };
    case 'mitochondrial':
      return { maximumMitochondrial: String(Number((100 * value).toFixed(1))) };
  }
}

interface SampleFieldProps {
  plan: QualityPlan | undefined;
  /** `undefined`: as detected; `null`: none. */
  value: string | null | undefined;
  onChange: (value: string | null | undefined) => void;
}

// A column may have any name, so names are marked as such.
const automatic = 'automatic';
const none = 'none';
const named = 'column ';

function SampleField({ plan, value, onChange }: SampleFieldProps) {
  const names = [...new Set([...(plan?.sampleColumns ?? []), ...(typeof value === 'string' ? [value] : [])])];
  // What is found shows only in a plan that was made without a choice.
  const detectedText =
    plan?.choice.sampleColumn === undefined ? `: ${plan?.sampleColumn ?? 'all cells'}` : '';
  return (
    <Field label="Thresholds per" hint="So that a sample with less RNA is not compared with the others.">
      {(control) => (
        <Select
          value={value === undefined ? automatic : value === null ? none : named + value}
          onValueChange={(chosen) =>
            onChange(chosen === automatic ? undefined : chosen === none ? null : chosen.slice(named.length))
          }
        >
          <SelectTrigger {...control} data-size="sm">
            <SelectValue />
          </SelectTrigger>
          <SelectContent className="max-w-[min(28rem,calc(100vw-2rem))]">
            <SelectItem value={automatic}>Automatic{detectedText}</SelectItem>
            <SelectItem value={none}>All cells together</SelectItem>
            {names.map((name) => (
              <SelectItem key={name} value={named + name} className="wrap-anywhere">
                {name}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}

interface QualityPlanOrder {
  userId: string;
  fileId: string;
  plan: QualityPlan | undefined;
  form: BuildForm;
  mayAsk: boolean;
  waits: boolean;
  inspecting: boolean;
}

/** Milliseconds without a change after which settings count as settled. */
const settledAfter = 600;
/**
 * Maximum entries for an automatic plan: a matrix with 43 million entries took 7 s of server processor time, one with
 * 0.6 million 2 s; most combined files have fewer.
 */
const maxEntries = 5e7;

/**
 * Requests exact numbers for the current settings automatically once they have settled, if that is cheap for the
 * server; the server ends an inspection of other settings in progress. Otherwise `update` requests them.
 */
function useQualityPlan(order: QualityPlanOrder): {
  pending: boolean;
  /** Absent if updates are automatic, or unavailable. */
  update: (() => void) | undefined;
} {
  const { userId, fileId, plan, form, mayAsk, waits, inspecting } = order;
  const { mutate, isPending } = useStartPlan(userId);
  const [requestedKey, setRequestedKey] = useState<string>();
  const choice = qualityChoice(form);
  const key = JSON.stringify(choice);
  const stale = plan === undefined || !isPlanOf(plan, choice);
  const byItself = plan !== undefined && isCheap(plan);
  const due = mayAsk && stale && byItself && !waits && !isPending && requestedKey !== key ? key : undefined;
  const ask = (what: string) => {
    setRequestedKey(what);
    mutate({ fileId, choices: buildRequest(form) });
  };
  const askSettled = useEffectEvent(ask);
  useEffect(() => {
    if (due === undefined) return;
    // Each other choice begins the wait anew.
    const timer = setTimeout(() => askSettled(due), settledAfter);
    return () => clearTimeout(timer);
  }, [due]);
  // What was asked for and did not come is asked for by hand.
  const isLost = stale && requestedKey === key && !isPending && !inspecting;
  return { pending: isPending, update: mayAsk && (!byItself || isLost) ? () => ask(key) : undefined };
}

/** Estimates the cost from the cells' median number of entries, and from whether barcodes are tested individually. */
function isCheap({ groups, droplets }: QualityPlan): boolean {
  const entries = groups.reduce((sum, { cells, spreads }) => sum + cells * Math.exp(spreads.genes.median), 0);
  return entries <= maxEntries && droplets?.keep !== 'called';
}

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

function QualityPlanSection(props: QualityPlanSectionProps) {
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
