import type { QualityPlan } from '@cellfolio/contract';
import { useState } from 'react';
import { Field } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import type { FileState } from '../file-state.ts';
import type { H5adReport } from '../reports/report-text.ts';
import { SettingFields } from './build-fields.tsx';
import { isSound, qualityChoice } from './build-form.ts';
import type { BuildForm } from './build-form.ts';
import { DropletSection } from './droplet-section.tsx';
import { isOfSameCells } from './live-thresholds.ts';
import type { Measure } from './live-thresholds.ts';
import type { Setting } from './processing-settings.ts';
import { QualityPlanSection } from './quality-plan-section.tsx';
import { useQualityPlan } from './use-quality-plan.ts';

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
