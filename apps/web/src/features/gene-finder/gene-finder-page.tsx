import type { GeneSummary } from '@cellfolio/contract';
import { geneSummary } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { GeneFinderBox } from '@/components/gene-finder-box.tsx';
import { SignedInPage } from '@/components/signed-in-page.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { whenStarted } from '@/components/when-started.tsx';
import { useServices } from '@/lib/services.ts';
import { GeneDots } from './gene-dots.tsx';

const links = [
  { to: '/dataset-selector', label: 'Dataset Selector' },
  { to: '/upload-data', label: 'Upload Data' },
] as const;

/** `/genes?gene=CD79A`: the gene by cell type in all datasets that the user may read. */
function GeneFinderPage() {
  const [params] = useSearchParams();
  const gene = (params.get('gene') ?? '').trim();
  return (
    <SignedInPage
      title={gene === '' ? 'Find a Gene' : `${gene} in All Datasets`}
      lead={() =>
        'By cell type, in the catalogue and in your own datasets. Choose one to see the gene there.'
      }
      links={links}
      className="max-w-360"
    >
      {() => (
        <>
          <GeneFinderBox
            key={gene}
            gene={gene}
            label="Gene symbol or Ensembl id"
            className="w-full max-w-80"
          />
          {gene === '' ? (
            <p className="text-muted">Enter a gene, such as CD79A.</p>
          ) : (
            <FoundGene gene={gene} />
          )}
        </>
      )}
    </SignedInPage>
  );
}

function FoundGene({ gene }: { gene: string }) {
  const { api } = useServices();
  const { data, error, refetch } = useQuery({
    queryKey: ['gene-summary', gene],
    queryFn: ({ signal }) =>
      api({ path: `/api/gene-summary?${new URLSearchParams({ gene })}`, answer: geneSummary, signal }),
  });
  if (data) return <Found summary={data} />;
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
  return (
    <p role="status" className="text-muted flex items-center gap-2">
      <Spinner />
      Looking through the datasets...
    </p>
  );
}

const reasons = {
  no_cell_types: 'no cell types',
  no_statistics:
    'no stored statistics; importing the file again stores them unless the dataset is very small',
  not_log_normalised: 'values that are not log-normalised',
  unreadable: 'cannot be read',
} as const;

function Found({ summary }: { summary: GeneSummary }) {
  const { gene, datasets, without_gene: without, not_summarised: others, left_out: leftOut } = summary;
  return (
    <>
      {datasets.length > 0 ? (
        <GeneDots gene={gene} datasets={datasets} />
      ) : (
        <p role="status" className="wrap-anywhere">
          None of the summarised datasets has a gene “{gene}”. Check its spelling, or try its Ensembl id.
        </p>
      )}
      {without > 0 && datasets.length > 0 && (
        <p className="text-muted text-[13px]">Datasets without this gene: {without}.</p>
      )}
      {leftOut > 0 && <p className="text-muted text-[13px]">Datasets that were not searched: {leftOut}.</p>}
      {others.length > 0 && (
        <details className="text-muted text-[13px]">
          <summary className="cursor-pointer rounded">Not yet summarised: {others.length}</summary>
          <ul className="mt-1 list-disc pl-5 wrap-anywhere">
            {others.map(({ dataset_filename: id, name, reason }) => (
              <li key={id}>
                {name}: {reasons[reason]}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

export const Component = whenStarted(GeneFinderPage);
