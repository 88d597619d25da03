import {
  type GeneSummary,
  type ProgressEvent,
  geneSummary,
  type FigureFormat,
  type GeneSummaryFormat,
} from '@cellfolio/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Fragment, useState, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ChevronDown, Download } from 'lucide-react';
import { GeneFinderBox, geneFinderAddress } from '@/components/gene-finder-box.tsx';
import { SignedInPage } from '@/components/signed-in-page.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { whenStarted } from '@/components/when-started.tsx';
import { type ApiClient, anyFile } from '@/lib/api-client.ts';
import { plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { toast } from '@/components/ui/toast.ts';
import { figureEndings, sizesOfSpec, useFigureDownloads } from '@/features/images/index.ts';
import { fileNamePart, saveFile } from '@/lib/files.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { GeneDots } from './gene-dots.tsx';

const links = [
  { to: '/dataset-selector', label: 'Dataset Selector' },
  { to: '/upload-data', label: 'Upload Data' },
] as const;

/** `/genes?gene=CD79A`: the gene by cell type in all datasets that the user may read. */
function GeneFinderPage() {
  const [params] = useSearchParams();
  const gene = (params.get('gene') ?? '').trim();
  // Asked by what is below the heading, once it is known who asks.
  const { data } = useQuery({ ...geneSummaryQuery(useServices().api, gene), enabled: false });
  const named = data ? writtenGene(data) : gene;
  return (
    <SignedInPage
      title={gene === '' ? 'Gene in All Datasets' : `${named} in All Datasets`}
      lead={() => 'By cell type, in the catalog and in your own datasets. Choose one to see the gene there.'}
      links={links}
      className="max-w-360"
    >
      {() => (
        <Fragment key={gene}>
          <GeneFinderBox gene={gene} label="Gene symbol or Ensembl id" className="w-full max-w-80" />
          {gene === '' ? (
            <p className="text-muted">Enter a gene, such as CD79A.</p>
          ) : (
            <FoundGene gene={gene} />
          )}
        </Fragment>
      )}
    </SignedInPage>
  );
}

function geneSummaryQuery(api: ApiClient, gene: string, onProgress?: (event: ProgressEvent) => void) {
  return queryOptions({
    queryKey: ['gene-summary', gene],
    queryFn: ({ signal }) =>
      api({
        path: `/api/gene-summary?${new URLSearchParams({ gene })}`,
        answer: geneSummary,
        signal,
        ...(onProgress && { onProgress }),
      }),
  });
}

/** The gene in the datasets' spellings: 'FOXP3 / Foxp3'; as requested when no dataset has it. */
function writtenGene({ gene, datasets }: GeneSummary): string {
  return Array.from(new Set(datasets.map(({ symbol }) => symbol))).join(' / ') || gene;
}

function FoundGene({ gene }: { gene: string }) {
  const { api } = useServices();
  const [progress, setProgress] = useState<ProgressEvent | null>(null);
  const { data, error, refetch } = useQuery(geneSummaryQuery(api, gene, setProgress));
  if (data) return <GeneSummaryView summary={data} />;
  if (error) {
    return (
      <Alert variant="danger" role="alert">
        <span className="flex flex-col items-start gap-2">
          {error.message}
          <Button variant="secondary" size="xs" onClick={() => void refetch()}>
            Try again
          </Button>
        </span>
      </Alert>
    );
  }
  return <Looking progress={progress} />;
}

function Looking({ progress }: { progress: ProgressEvent | null }) {
  const { done, total } = progress ?? { done: 0, total: 0 };
  return (
    <div className="text-muted flex max-w-80 flex-col gap-2">
      <p role="status" className="flex items-center gap-2">
        <Spinner />
        Searching the datasets...
      </p>
      {total > 0 && (
        <>
          <Progress aria-label="Datasets searched" value={(100 * done) / total} />
          <p className="text-xs tabular-nums">
            {done} of {plural(total, 'dataset')}
          </p>
        </>
      )}
    </div>
  );
}

const reasons = {
  no_cell_types: 'no cell types',
  too_many_cell_types: 'more than 500 cell types, likely cell names',
  not_log_normalised: 'values that are not log-normalized',
  unreadable: 'cannot be read',
} as const;

function GeneSummaryView({ summary }: { summary: GeneSummary }) {
  const { gene, datasets, columns, renamed, reading } = summary;
  const { without_gene: without, not_summarised: others, left_out: leftOut } = summary;
  const computed = datasets.filter((dataset) => dataset.computed).length;
  return (
    <>
      {renamed.length > 0 && (
        <p role="status" className="text-[13px] wrap-anywhere">
          {renamedText(summary)}
        </p>
      )}
      {datasets.length > 0 ? (
        <figure className="bg-surface flex flex-col gap-3 rounded-lg border p-4">
          <div className="flex flex-wrap items-start justify-between gap-3">
            <figcaption className="max-w-prose wrap-anywhere">{reading}</figcaption>
            <SummaryDownload gene={gene} />
          </div>
          <GeneDots gene={writtenGene(summary)} datasets={datasets} columns={columns} />
        </figure>
      ) : (
        <NotFound summary={summary} />
      )}
      {computed > 0 && (
        <p className="text-muted text-[13px]">
          Computed now, because no statistics were stored at import: {plural(computed, 'dataset')}.
        </p>
      )}
      {datasets.length > 0 && (
        <NamedDatasets
          title="Datasets without this gene"
          datasets={without.map(({ dataset_filename: id, name }) => ({ id, text: name }))}
        />
      )}
      {leftOut > 0 && <p className="text-muted text-[13px]">Datasets that were not searched: {leftOut}.</p>}
      <NamedDatasets
        title="Not summarized"
        datasets={others.map(({ dataset_filename: id, name, reason }) => ({
          id,
          text: `${name}: ${reasons[reason]}`,
        }))}
      />
    </>
  );
}

/** Up to this number the list of datasets is initially open. */
const fewDatasets = 5;

interface NamedDatasetsProps {
  title: string;
  datasets: readonly { id: string; text: string }[];
}

function NamedDatasets({ title, datasets }: NamedDatasetsProps) {
  if (datasets.length === 0) return null;
  return (
    <details className="text-muted text-[13px]" open={datasets.length <= fewDatasets}>
      <summary className="cursor-pointer rounded">
        {title}: {datasets.length}
      </summary>
      <ul className="mt-1 list-disc pl-5 wrap-anywhere">
        {datasets.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

function renamedText({ gene, datasets, renamed }: GeneSummary): string {
  const names = renamed.map(({ symbol, datasets: of }) =>
    renamed.length === 1 && of === datasets.length ? symbol : `${symbol} (${plural(of, 'dataset')})`,
  );
  const all = renamed.reduce((sum, one) => sum + one.datasets, 0) === datasets.length;
  return `“${gene}” is another name of ${names.join(' and ')}, shown ${all ? 'here' : 'if a dataset has no gene of that name'}.`;
}

function NotFound({ summary: { gene, nearest } }: { summary: GeneSummary }) {
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="wrap-anywhere">
        None of the summarized datasets has a gene “{gene}”. Check its spelling, or try its Ensembl id.
      </p>
      {nearest.length > 0 && (
        <>
          <h2 id="nearest-genes" className="text-sm font-semibold">
            Did you mean
          </h2>
          <ul aria-labelledby="nearest-genes" className="flex flex-wrap gap-2">
            {nearest.map(({ symbol, datasets }) => (
              <li key={symbol}>
                <Button asChild variant="secondary" size="sm">
                  <Link to={geneFinderAddress(symbol)}>
                    {symbol} <span className="text-muted font-normal">{plural(datasets, 'dataset')}</span>
                  </Link>
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

export const Component = whenStarted(GeneFinderPage);

const notDownloaded = 'summary-not-downloaded';

function SummaryDownload({ gene }: { gene: string }) {
  const { api } = useServices();
  const { itemsOf, dialog } = useFigureDownloads();
  const { save, saving } = useSaveSummary(gene);
  const [open, setOpen] = useState(false);
  const figure = {
    title: gene,
    sizesOf: (layout: object, signal: AbortSignal) =>
      api({
        path: pathOf(gene, 'json', layout),
        answer: { parse: (spec) => sizesOfSpec.parse(spec).files },
        signal,
      }),
    onSave: (format: FigureFormat, layout?: object) => void save(format, layout),
  };
  return (
    <>
      {/* The trigger keeps the focus while a file is prepared, and opens nothing. */}
      <DropdownMenu modal={false} open={open} onOpenChange={(next) => setOpen(next && !saving)}>
        <DropdownMenuTrigger asChild>
          <Button variant="secondary" size="sm" aria-disabled={saving} className="min-w-32">
            {saving ? <Spinner /> : <Download aria-hidden />}
            {saving ? 'Preparing...' : 'Download'}
            {!saving && <ChevronDown aria-hidden />}
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent className="min-w-56">
          {itemsOf(figure)}
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={() => void save('csv')}>
            <span>
              CSV
              <span className="text-muted block text-xs">All its numbers: share, mean and n</span>
            </span>
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {dialog}
    </>
  );
}

function pathOf(gene: string, format: GeneSummaryFormat, layout: object = {}): string {
  return `/api/gene-summary-file?${new URLSearchParams({ gene, format, ...layout })}`;
}

function useSaveSummary(gene: string) {
  const { api } = useServices();
  const [saving, setSaving] = useState(false);
  const left = useRef<AbortController | null>(null);
  useEffect(() => () => left.current?.abort(), []);
  const save = async (format: FigureFormat | 'csv', layout?: object) => {
    const { signal } = (left.current = new AbortController());
    setSaving(true);
    try {
      const file = await api({
        path: pathOf(gene, format, layout),
        answer: anyFile,
        expects: 'file',
        signal,
      });
      const ending = format === 'csv' ? '.csv' : figureEndings[format];
      const name = `${fileNamePart(gene) || 'gene'}_by_dataset${ending}`;
      saveFile(file, name);
      toast.dismiss(notDownloaded);
      toast.success('Download started', { description: name });
    } catch (error) {
      if (isCancelled(error)) return;
      console.warn('A gene in all datasets was not downloaded.', error);
      toast.error('Error', {
        id: notDownloaded,
        description: 'Failed to download the file. Please try again.',
      });
    } finally {
      setSaving(false);
    }
  };
  return { save, saving };
}
