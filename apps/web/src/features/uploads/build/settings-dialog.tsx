import {
  noCountsReason,
  fileSamplesDefaults,
  partChoice,
  type SamplesChoice,
  samplesOfFile,
  samplesOfPart,
} from '@cellfolio/contract';
import { type ComponentProps, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { FormDialog } from '@/components/form-dialog.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useDraft } from '@/lib/use-draft.ts';
import { type FileState, settingsTitle, waitsForReview } from '../file-state.ts';
import { failureWords, useStartBuild } from '../jobs/job-calls.ts';
import { ProcessingFacts } from '../reports/processing-facts.tsx';
import type { Computed, H5adReport } from '../reports/report-text.ts';
import type { UserFile } from '../user-files.ts';
import { SamplesSettings } from '../samples/samples-settings.tsx';
import { ColumnFields, GenesInField, SettingFields, ValuesField } from './build-fields.tsx';
import {
  buildRequest,
  computedWith,
  formOf,
  isSameForm,
  isSound,
  isUnanswered,
  qualityChoice,
  readForm,
  type BuildForm,
} from './build-form.ts';
import { settings, type Setting } from './processing-settings.ts';
import { ChangesList } from './changes-list.tsx';
import { changedName } from './choice-changes.ts';
import { hasRoom, type PresentChoice, PresentDataset, useRoom } from './present-dataset.tsx';
import { QualitySettings } from './quality-settings.tsx';
import { removesAll } from './removed-cells.ts';
import { PartSettings } from './part-settings.tsx';

interface SettingsDialogProps {
  userId: string;
  file: UserFile;
  report: H5adReport;
  state: FileState;
  allowed: boolean;
  onClose: () => void;
}

export function SettingsDialog({ userId, file, report, state, allowed, onClose }: SettingsDialogProps) {
  const { dataset } = state;
  // What a file was looked at with changes as thresholds are tried out: changes are undone to what was there before.
  const [opened] = useState(() => formOf(null, report));
  const savedForm = dataset === null ? opened : formOf(dataset);
  // Unsent input survives closing the dialog and reloading the page, until there is a newer version: what was typed for an
  // older one would hide the settings that were applied since, perhaps in another tab.
  const [draft, setDraft] = useDraft<BuildForm | null>(
    `build:${file.id}:${dataset?.version ?? ''}`,
    null,
    readForm,
  );
  const form = draft ?? savedForm;
  const changed = !isSameForm(form, savedForm);
  const build = useStartBuild(userId);
  const [present, setPresent] = useState<PresentChoice>({ keeps: true, name: '' });
  const room = useRoom(userId);
  const computed = computedWith(report.willCompute, form.columns);
  const playing = settings.filter(({ parts }) => parts.some((part) => computed.includes(part)));
  const filters = playing.filter(({ parts }) => parts.includes('qualityControl'));

  const title = settingsTitle(state);
  // Who was asked to review quality control sees it first.
  const reviews = filters.length > 0 && waitsForReview(state);
  const again = title === 'Process Again';
  const suggested = changedName(file.file_name, buildRequest(savedForm), buildRequest(form));
  const beside =
    again && present.keeps && hasRoom(file, room) ? { name: present.name.trim() || suggested } : undefined;
  const nothingLeft =
    filters.length > 0 && report.quality !== undefined && removesAll(report.quality, qualityChoice(form));
  const ready =
    allowed && !build.isPending && isSound(form, playing) && !isUnanswered(report, form) && !nothingLeft;

  const submit = () => {
    build.mutate(
      { fileId: file.id, choices: { ...buildRequest(form), ...(beside && { beside }) } },
      {
        onSuccess: () => {
          if (beside) {
            toast.success('New Dataset Started', {
              description: `${beside.name} is being built. ${file.file_name} does not change.`,
            });
          }
          // What is kept of the draft goes before the dialog does: the same settings would be offered as unsent.
          flushSync(() => setDraft(null));
          onClose();
        },
      },
    );
  };

  return (
    <FormDialog
      title={title}
      description={
        <span className="line-clamp-2 wrap-anywhere">
          {file.file_name}: what its dataset is built from. The file itself does not change.
        </span>
      }
      className="lg:max-w-4xl"
      alerts={
        again && <PresentDataset {...{ file, room, suggested }} choice={present} onChange={setPresent} />
      }
      failure={build.isError ? failureWords(build.error) : undefined}
      note={footnote({ allowed, changed, nothingLeft, building: state.building !== null && !beside })}
      buttons={
        <Button variant="ghost" size="sm" disabled={!changed} onClick={() => setDraft(null)}>
          Undo changes
        </Button>
      }
      submit={{ text: again ? title : 'Build', ready, pending: build.isPending }}
      onSubmit={submit}
      onClose={onClose}
    >
      {!reviews && <ColumnSections {...{ report, form }} onChange={setDraft} />}
      {filters.length > 0 && (
        <QualitySettings
          {...{ userId, report, allowed, form }}
          fileId={file.id}
          inspecting={state.inspecting}
          settings={filters}
          onChange={setDraft}
        />
      )}
      {reviews && <ColumnSections {...{ report, form }} onChange={setDraft} />}
      <SamplesSection {...{ report, state, form }} isFiltered={filters.length > 0} onChange={setDraft} />
      <ProcessingSection {...{ report, computed, playing, form }} onChange={setDraft} />
      {dataset?.made_with && (
        <ChangesList title="What changes" before={dataset.made_with} after={buildRequest(form)} />
      )}
      {dataset?.processed && <RecordSection record={dataset.processed} />}
    </FormDialog>
  );
}

function RecordSection({ record }: ComponentProps<typeof ProcessingFacts>) {
  return (
    <section aria-labelledby="build-record" className="flex flex-col gap-2">
      <h3 id="build-record" className="text-sm font-semibold">
        What was computed
      </h3>
      <ProcessingFacts record={record} />
    </section>
  );
}

interface SectionProps {
  report: H5adReport;
  form: BuildForm;
  onChange: (form: BuildForm) => void;
}

function ColumnSections({ report, form, onChange }: SectionProps) {
  return (
    <>
      <section aria-labelledby="build-values" className="flex flex-col gap-3">
        <h3 id="build-values" className="text-sm font-semibold">
          Values
        </h3>
        {report.genesIn !== undefined && (
          <GenesInField
            report={report}
            value={form.columns.genesIn}
            onChange={(genesIn) => onChange({ ...form, columns: { ...form.columns, genesIn } })}
          />
        )}
        <ValuesField
          report={report}
          value={form.columns.expression}
          onChange={(expression) => {
            const { expression: _, ...others } = form.columns;
            onChange({
              ...form,
              columns: expression === undefined ? others : { ...others, expression },
            });
          }}
        />
      </section>
      <section aria-labelledby="build-columns" className="flex flex-col gap-3">
        <h3 id="build-columns" className="text-sm font-semibold">
          Columns
        </h3>
        <ColumnFields
          report={report}
          columns={form.columns}
          onChange={(columns) => onChange({ ...form, columns })}
        />
      </section>
    </>
  );
}

interface ProcessingSectionProps extends SectionProps {
  computed: readonly Computed[];
  playing: readonly Setting[];
}

function ProcessingSection({ report, computed, playing, form, onChange }: ProcessingSectionProps) {
  const others = playing.filter(({ parts }) => !parts.includes('qualityControl'));
  return (
    <section aria-labelledby="build-processing" className="flex flex-col gap-3">
      <h3 id="build-processing" className="text-sm font-semibold">
        Processing
      </h3>
      {report.willCompute.includes('qualityControl') && !computed.includes('qualityControl') && (
        <p role="status" className="text-muted text-[13px]">
          All cells are kept: quality control was done before the chosen column was made.
        </p>
      )}
      {playing.length === 0 ? (
        <p className="text-muted text-[13px]">
          {report.hasCounts
            ? 'There are clusters and an embedding, so nothing is computed from the counts. For new ones, open the dataset and choose Subclustering there.'
            : `This file has no raw counts, so nothing can be computed from it; it is shown as it is.${noCountsReason(report.warnings)}`}
        </p>
      ) : (
        <SettingFields
          settings={others}
          typed={form.settings}
          onChange={(typed) => onChange({ ...form, settings: typed })}
        />
      )}
    </section>
  );
}

interface Standing {
  allowed: boolean;
  changed: boolean;
  nothingLeft: boolean;
  building: boolean;
}

function footnote({ allowed, changed, nothingLeft, building }: Standing) {
  if (!allowed) return 'Building datasets is part of the Professional plan.';
  if (nothingLeft) return 'Quality control would remove all cells. Loosen its thresholds.';
  if (building) return 'A dataset is being built now; a new build replaces it.';
  return changed
    ? 'Not applied yet; kept here until you build or undo.'
    : 'Empty fields use the default shown.';
}

interface SamplesSectionProps {
  report: H5adReport;
  state: FileState;
  form: BuildForm;
  /** Whether cells are filtered: the file has then not been processed before. */
  isFiltered: boolean;
  onChange: (form: BuildForm) => void;
}

function SamplesSection({ report, state, form, isFiltered, onChange }: SamplesSectionProps) {
  const { combined, partOf, dataset } = state;
  const shared = {
    batchColumns: report.quality?.sampleColumns ?? [],
    recordedDoublets: dataset?.processed?.samples?.doublets,
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
