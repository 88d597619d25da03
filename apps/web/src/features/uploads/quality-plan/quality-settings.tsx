import type { QualityChoice } from '@cellfolio/contract';
import { useStartPlan } from '../jobs/use-start-job.ts';
import type { BuildForm } from '../build-form.ts';
import { buildRequest, isSound } from '../build-form.ts';
import type { FileState } from '../file-state.ts';
import type { Setting } from '../processing-settings.ts';
import type { H5adReport } from '../report-text.ts';
import { SettingFields } from '../setting-fields.tsx';
import { DropletSection } from './droplet-section.tsx';
import { isPlanOf } from './live-thresholds.ts';
import { QualityPlanSection } from './quality-plan-section.tsx';
import { SampleField } from './sample-field.tsx';

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

/** Which cells stay: the settings that decide it, and what they come to. */
export function QualitySettings(props: QualitySettingsProps) {
  const { userId, fileId, report, inspecting, allowed, settings, form, onChange } = props;
  const plan = useStartPlan(userId);
  const { columns = {}, processing = {} } = buildRequest(form);
  const { droplets, deviations, minimumCounts, minimumGenes, maximumMitochondrial, sampleColumn } =
    processing;
  const choice: QualityChoice = {
    symbol: columns.symbol,
    expression: columns.expression,
    droplets,
    deviations,
    minimumCounts,
    minimumGenes,
    maximumMitochondrial,
    sampleColumn,
  };
  const found = report.quality?.droplets;
  return (
    <section aria-labelledby="build-quality" className="flex flex-col gap-3">
      {found !== undefined && (
        <DropletSection
          droplets={found}
          choice={form.droplets}
          fresh={report.quality !== undefined && isPlanOf(report.quality, choice)}
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
          plan={report.quality}
          value={form.sampleColumn}
          onChange={(chosen) => {
            const { sampleColumn: _, ...others } = form;
            onChange(chosen === undefined ? others : { ...others, sampleColumn: chosen });
          }}
        />
      </SettingFields>
      <QualityPlanSection
        plan={report.quality}
        choice={choice}
        inspecting={inspecting}
        pending={plan.isPending}
        onUpdate={
          allowed && isSound(form, settings)
            ? () => plan.mutate({ fileId, choices: buildRequest(form) })
            : undefined
        }
      />
    </section>
  );
}
