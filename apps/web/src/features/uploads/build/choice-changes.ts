import { fileSamplesDefaults, integrationWords, samplesDone, withoutExtension } from '@cellfolio/contract';
import type { BuildRequest, ProcessingChoice } from '@cellfolio/contract';
import { formatCount } from '@/lib/format.ts';
import { roleLabels, roles } from './build-form.ts';
import { settings, typedSettings } from './processing-settings.ts';

export function choiceChanges(before: BuildRequest, after: BuildRequest) {
  const [old, now] = [listed(before), listed(after)];
  return [...now].flatMap(([name, value]) => {
    const earlier = old.get(name) ?? '';
    return earlier === value ? [] : [{ name, before: earlier, after: value }];
  });
}

/** Such as 'Brain (MNN, resolution 0.6)': name of a copy, by its source dataset and the changed choices. */
export function changedName(name: string, before: BuildRequest, after: BuildRequest): string {
  const [old, now] = [before, after].map(
    ({ processing }) => integrationWords[samplesOf(processing).integrate].short,
  );
  const others = choiceChanges(before, after).filter((change) => change.name !== integration);
  const changes = [
    ...(now === undefined || now === old ? [] : [now]),
    ...others.map((change) => `${change.name.toLowerCase()} ${change.after.replace(' (default)', '')}`),
  ];
  const text = changes.slice(0, 4).join(', ') || 'again';
  return `${withoutExtension(name)} (${text})`.slice(0, 200);
}

function listed({ columns = {}, processing = {} }: BuildRequest): Map<string, string> {
  const typed = typedSettings(processing);
  const { sampleColumn } = processing;
  const { doublets, doubletThreshold, integrate, batchColumn, resolutions } = samplesOf(processing);
  return new Map([
    ['Values', columns.expression ?? automatic],
    ['Genes of the table', columns.genesIn ?? automatic],
    ...roles.map((role) => [roleLabels[role], columns[role] ?? automatic] as const),
    ...settings.map(
      ({ name, label, default: defaultValue }) =>
        [label, typed[name] ?? `${defaultValue} (default)`] as const,
    ),
    ['Thresholds', sampleColumn === null ? 'the same for all cells' : (sampleColumn ?? automatic)],
    ['Barcodes', barcodeText(processing)],
    ['Doublets', doublets === 'keep' ? doublets : `${doublets}, threshold ${doubletThreshold ?? automatic}`],
    [integration, integrate === 'none' ? 'none' : `${integrationWords[integrate].name} over ${batchColumn}`],
    ['Further resolutions', resolutions.join(', ') || 'none'],
  ]);
}

/** For combined files and parts, sample choices are always stored, even if nothing was chosen. */
function samplesOf({ samples = fileSamplesDefaults }: ProcessingChoice = {}) {
  return samplesDone(samples);
}

const automatic = 'automatic';
const integration = 'Integration';

function barcodeText({ droplets = {} }: ProcessingChoice): string {
  const { keep, falseDiscoveryRate, emptyUpTo, minimumCounts } = droplets;
  const parts = [
    ...(keep === undefined ? [] : [keep]),
    ...(falseDiscoveryRate === undefined ? [] : [`false discovery rate ${falseDiscoveryRate}`]),
    ...(emptyUpTo === undefined ? [] : [`empty up to ${formatCount(emptyUpTo)} counts`]),
    ...(minimumCounts === undefined ? [] : [`at least ${formatCount(minimumCounts)} counts`]),
  ];
  return parts.join(', ') || automatic;
}
