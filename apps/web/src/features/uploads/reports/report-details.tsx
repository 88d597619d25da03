import {
  type FileReport,
  type UserFileRecord,
  mapColumnList,
  type RenderFigureRequest,
} from '@cellfolio/contract';
import { TriangleAlert } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { formatCount, nameList, shortName } from '@/lib/format.ts';
import { FigureImage } from '@/components/figure-image.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { anyFile } from '@/lib/api-client.ts';
import { dataUrl } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import { useShownTheme } from '@/lib/use-browser.ts';
import { scaleNames } from '../build/build-fields.tsx';
import { type Role, roleLabels, roles } from '../build/build-form.ts';
import { isOpenable, warningsOf } from '../file-state.ts';
import { ComponentVariance } from './component-variance.tsx';
import { FactList, processingFacts } from './processing-facts.tsx';
import { SampleSteps } from './sample-steps.tsx';
import { computedNames, sizeText, type Computed, type H5adReport } from './report-text.ts';

const metadataShown = 12;

interface ReportDetailsProps {
  fileId: string;
  report: FileReport;
  dataset: UserFileRecord['dataset'];
}

export function ReportDetails({ fileId, report, dataset }: ReportDetailsProps) {
  const built = isOpenable(dataset);
  const processed = dataset?.processed ?? null;
  const warnings = warningsOf(report, dataset);
  const notes = report.kind === 'h5ad' && !built ? [...report.plans, ...report.notes] : report.notes;
  return (
    <div className="flex flex-col gap-2">
      <FactList
        facts={[
          ...factsOf(report, built ? (processed?.computed ?? []) : undefined),
          ...(processed === null ? [] : processingFacts(processed)),
        ]}
      />
      {processed !== null && <ComponentVariance record={processed} />}
      {processed?.samples !== undefined && <SampleSteps record={processed} />}
      {built && processed?.samples?.integration !== undefined && (
        <SampleMaps fileId={fileId} batchColumn={processed.samples.batchColumn ?? ''} />
      )}
      {warnings.length + notes.length > 0 && (
        <ul className="flex flex-col gap-1 text-xs leading-5">
          {warnings.map((message) => (
            <li key={message} className="text-warning flex gap-1.5">
              <TriangleAlert aria-label="Warning:" className="mt-1 size-3 shrink-0" />
              <span className="min-w-0 wrap-anywhere">{message}</span>
            </li>
          ))}
          {notes.map((note) => (
            <li key={note} className="text-muted wrap-anywhere">
              {note}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function factsOf(
  report: FileReport,
  computed: readonly Computed[] | undefined,
): { name: string; value: string }[] {
  switch (report.kind) {
    case 'h5ad':
      return h5adFacts(report, computed);
    case 'matrix':
      return [
        { name: 'Rows × columns', value: sizeText(report) },
        { name: 'Entries', value: entriesText(report) },
      ];
    default:
      return [
        { name: 'Lines', value: formatCount(report.lines) },
        { name: 'Columns', value: formatCount(report.columns) },
        { name: 'First names', value: report.first.map(shortName).join(', ') || 'none' },
      ];
  }
}

function h5adFacts(
  { expression, scale, proteins, otherFeatures, roles: detectedRoles, metadata, willCompute }: H5adReport,
  computed: readonly Computed[] | undefined,
) {
  const isComputed = (role: Role) =>
    (role === 'cluster' && computed?.includes('clusters')) ||
    (role === 'embedding' && computed?.includes('embedding'));
  const isWhole = detectedRoles.every(
    ({ role, chosen }) => chosen !== undefined || !['cluster', 'embedding'].includes(role),
  );
  return [
    { name: 'Expression', value: expression },
    ...(scale ? [{ name: 'Scale', value: `${scaleNames[scale.read]}. ${scale.why}` }] : []),
    ...(proteins !== undefined ? [{ name: 'Proteins', value: proteins }] : []),
    ...(otherFeatures.length > 0 ? [{ name: 'Not genes', value: othersText(otherFeatures) }] : []),
    ...roles.flatMap((role) =>
      detectedRoles
        .filter((candidate) => candidate.role === role)
        .map(({ chosen, why }) => ({
          name: roleLabels[role],
          value: chosen === undefined && isComputed(role) ? 'computed here' : `${chosen ?? 'none'} (${why})`,
        })),
    ),
    { name: 'Metadata', value: metadata.length === 0 ? 'none' : nameList(metadata, metadataShown) },
    ...(computed !== undefined && willCompute.length > 0
      ? []
      : [{ name: 'Computed here', value: computedText(willCompute, isWhole) }]),
  ];
}

function othersText(others: H5adReport['otherFeatures']): string {
  const named = others.map(
    ({ type, count, examples }) => `${formatCount(count)} ${type} (${nameList(examples, 3)})`,
  );
  return `${named.join(', ')}: left in the file`;
}

function computedText(parts: readonly Computed[], isWhole: boolean): string {
  if (parts.length === 0) return isWhole ? 'nothing is missing' : 'nothing';
  const names = computedNames(parts);
  return parts.includes('qualityControl') && parts.length > 1
    ? `${names}, from the cells that pass quality control`
    : names;
}

function entriesText({ rows, columns, entries }: { rows: number; columns: number; entries: number }): string {
  const all = rows * columns;
  const share = all === 0 ? 0 : (entries / all) * 100;
  return `${formatCount(entries)} (${share < 0.1 ? 'less than 0.1' : share.toFixed(1)} % of all)`;
}

const size = { width: 420, height: 320, ratio: 2 } as const;

function SampleMaps({ fileId, batchColumn }: { fileId: string; batchColumn: string }) {
  const { api } = useServices();
  const dataset = `custom:${fileId}`;
  const list = useQuery({
    queryKey: ['sample-maps', dataset],
    queryFn: ({ signal }) =>
      api({
        path: `/api/datasets/${encodeURIComponent(dataset)}/columns`,
        answer: mapColumnList,
        signal,
      }),
  });
  if (list.isError) return <p className="text-muted text-xs">The maps could not be loaded.</p>;
  if (list.data === undefined) return <Skeleton className="h-40" />;
  const { version, embeddings } = list.data;
  const named = (name: string) => embeddings.some((one) => one.name === name);
  const maps = [
    { title: 'Before integration', embedding: 'X_umap_unintegrated' },
    { title: 'After integration', embedding: 'X_umap' },
  ].filter(({ embedding }) => named(embedding));
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {maps.map(({ title, embedding }) => (
        <figure key={embedding} className="flex min-w-0 flex-col gap-1">
          <figcaption className="text-xs font-medium">
            {title}, by {batchColumn}
          </figcaption>
          <SampleMap {...{ dataset, version, embedding, batchColumn }} title={title} />
        </figure>
      ))}
    </div>
  );
}

interface SampleMapProps {
  dataset: string;
  version: string;
  embedding: string;
  batchColumn: string;
  title: string;
}

function SampleMap({ dataset, version, embedding, batchColumn, title }: SampleMapProps) {
  const { api } = useServices();
  const theme = useShownTheme();
  const body: RenderFigureRequest = {
    source: {
      dataset_filename: dataset,
      version,
      content: { kind: 'obs-umap', column: batchColumn },
    },
    format: 'png',
    view: { ...size, theme, whole: true },
    shown: { embedding, axes: [0, 1] },
  };
  const mapQuery = useQuery({
    queryKey: ['sample-map', body],
    queryFn: async ({ signal }) =>
      dataUrl(await api({ path: '/api/render-figure', body, answer: anyFile, expects: 'file', signal })),
    staleTime: Infinity,
  });
  return (
    <div
      className="bg-figure overflow-hidden rounded-md border"
      style={{ aspectRatio: size.width / size.height }}
    >
      {mapQuery.isError ? (
        <p className="text-muted p-3 text-xs">This map could not be drawn.</p>
      ) : mapQuery.data === undefined ? (
        <Skeleton className="size-full" />
      ) : (
        <FigureImage
          src={mapQuery.data}
          alt={`UMAP of all cells by ${batchColumn}, ${title.toLowerCase()}`}
        />
      )}
    </div>
  );
}
