import {
  fileSamplesDefaults,
  partChoice,
  type SamplesChoice,
  samplesOfFile,
  samplesOfPart,
} from '@cellfolio/contract';
import type { ReactNode } from 'react';
import type { FileState } from '../file-state.ts';
import type { H5adReport } from '../reports/report-text.ts';
import { SamplesSettings } from '../samples/samples-settings.tsx';
import type { BuildForm } from './build-form.ts';
import { PartSettings } from './part-settings.tsx';

interface SamplesSectionProps {
  report: H5adReport;
  state: FileState;
  form: BuildForm;
  /** Whether cells are filtered: the file has then not been processed before. */
  isFiltered: boolean;
  onChange: (form: BuildForm) => void;
}

export function SamplesSection({ report, state, form, isFiltered, onChange }: SamplesSectionProps) {
  const { combined, partOf, dataset } = state;
  const shared = {
    batchColumns: report.quality?.sampleColumns ?? [],
    found: dataset?.processed?.samples?.doublets,
  };
  if (partOf !== null)
    return (
      <Section title={`Part of ${partOf.name}`}>
        <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
          <PartSettings
            choice={partChoice(form.samples)}
            columns={report.metadata}
            onChange={(choice) => onChange({ ...form, samples: samplesOfPart(choice) })}
          />
        </div>
      </Section>
    );
  if (combined !== null)
    return (
      <Section title="Samples">
        <SamplesSettings
          {...shared}
          choices={form.samples ?? {}}
          onChange={(samples) => onChange({ ...form, samples })}
        />
      </Section>
    );
  if (!isFiltered) return null;
  return (
    <Section title="Samples">
      <SamplesSettings
        {...shared}
        choices={{ ...fileSamplesDefaults, ...batchesOf(report, form), ...form.samples }}
        isCombined={false}
        onChange={(chosen) => {
          const { samples: _, ...others } = form;
          const samples = samplesOfFile(chosen);
          onChange(samples === undefined ? others : { ...others, samples });
        }}
      />
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-labelledby="build-samples" className="flex flex-col gap-3">
      <h3 id="build-samples" className="text-sm font-semibold wrap-anywhere">
        {title}
      </h3>
      {children}
    </section>
  );
}

/** By default, the column of samples with separate thresholds is also the batch column. */
function batchesOf({ quality }: H5adReport, { sampleColumn }: BuildForm): SamplesChoice {
  const batchColumn = sampleColumn ?? quality?.sampleColumn ?? quality?.sampleColumns[0];
  return batchColumn === undefined ? {} : { batchColumn };
}
