import type { CatalogueDataset } from '@cellfolio/contract';
import { catalogueFields, columnTitle, labelColumnOf } from '@cellfolio/contract';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { FigureImage } from '@/components/figure-image.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { formatCount } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { assetUrl, explorerPath, formatMetadataValue, gsePage, SimulatedBadge } from './dataset-metadata.tsx';

interface DatasetPreviewProps {
  title: string;
  disease: string | null;
  dataset: CatalogueDataset | undefined;
  missing: string | null;
}

export function DatasetPreview({ title, disease, dataset, missing }: DatasetPreviewProps) {
  const target =
    disease === null || dataset === undefined ? '/explorer' : explorerPath(disease, dataset.dataset_filename);
  return (
    <Card aria-labelledby="dataset-preview">
      <CardHeader>
        <CardTitle id="dataset-preview">{title}</CardTitle>
        <Button asChild size="sm" variant={dataset === undefined ? 'secondary' : 'primary'}>
          <Link to={target}>Explore Dataset</Link>
        </Button>
      </CardHeader>
      <CardContent>
        {dataset === undefined ? (
          <p className="text-muted">{missing ?? 'Choose a dataset to see its cells and metadata.'}</p>
        ) : (
          <Preview dataset={dataset} />
        )}
      </CardContent>
    </Card>
  );
}

function Preview({ dataset }: { dataset: CatalogueDataset }) {
  const { config } = useServices();
  const termsOf = Map.groupBy(dataset.ontology_terms ?? [], ({ column }) => column);
  // Ids are shown with their labels.
  const metadata = Object.entries(dataset.patient_metadata ?? {}).filter(
    ([name]) => !termsOf.has(labelColumnOf(name) ?? ''),
  );
  return (
    <div className="@container flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="min-w-0 font-medium wrap-anywhere">{dataset.name}</h3>
        {dataset.simulated && <SimulatedBadge />}
      </div>
      <div className="grid gap-4 @3xl:grid-cols-[3fr_2fr]">
        <div className="flex flex-col gap-4">
          <div className="aspect-6/5 overflow-hidden rounded-md border">
            <FigureImage
              src={assetUrl(config.analysisUrl, dataset.umap_url)}
              alt={`UMAP of ${dataset.name}, colored by ${dataset.cell_types === undefined ? 'cluster' : 'cell type'}`}
            />
          </div>
          {dataset.description.trim() !== '' && (
            <p className="text-muted text-[13px] wrap-anywhere">{dataset.description}</p>
          )}
        </div>
        <div className="flex flex-col gap-4">
          <Fields>
            <Field name="Cells">{formatCount(dataset.cell_count)}</Field>
            <Field name="Genes">{formatCount(dataset.gene_count)}</Field>
            {catalogueFields.map((field) => (
              <Field key={field.name} name={field.title}>
                {fieldValue(field.type, dataset[field.name])}
              </Field>
            ))}
          </Fields>
          {metadata.length > 0 && (
            <section aria-labelledby="patient-metadata" className="flex flex-col gap-1.5">
              <h4 id="patient-metadata" className="text-[13px] font-medium">
                Patient Metadata
              </h4>
              <Fields>
                {metadata.map(([key, value]) => (
                  <Field key={key} name={columnTitle(key)}>
                    {formatMetadataValue(value)}
                  </Field>
                ))}
              </Fields>
            </section>
          )}
          {termsOf.size > 0 && (
            <section aria-labelledby="ontology-terms" className="flex flex-col gap-1.5">
              <h4 id="ontology-terms" className="text-[13px] font-medium">
                Ontology Terms
              </h4>
              <Fields>
                {Array.from(termsOf, ([column, terms]) => (
                  <Field key={column} name={columnTitle(column)}>
                    {termsText(terms)}
                  </Field>
                ))}
              </Fields>
            </section>
          )}
        </div>
      </div>
    </div>
  );
}

const shownTerms = 12;

function termsText(terms: NonNullable<CatalogueDataset['ontology_terms']>): string {
  const shown = terms
    .slice(0, shownTerms)
    .map(({ id, label }) => (label === id ? id : `${label} (${id})`))
    .join(', ');
  const more = terms.length - shownTerms;
  return more > 0 ? `${shown} and ${formatCount(more)} more` : shown;
}

function Fields({ children }: { children: ReactNode }) {
  return <dl className="divide-border divide-y border-y text-[13px]">{children}</dl>;
}

function Field({ name, children }: { name: string; children: ReactNode }) {
  const hasValue = children !== undefined && children !== null && children !== '';
  return (
    <div className="grid grid-cols-[minmax(8rem,2fr)_3fr] gap-3 py-1.5">
      <dt className="text-muted wrap-anywhere">{name}</dt>
      <dd className={hasValue ? 'min-w-0 wrap-anywhere tabular-nums' : 'text-muted'}>
        {hasValue ? children : 'Not given'}
      </dd>
    </div>
  );
}

function fieldValue(type: 'text' | 'count' | 'gse', value: string | number | undefined): ReactNode {
  if (typeof value === 'number') return formatCount(value);
  return type === 'gse' && value ? <GseLink accession={value} /> : value;
}

function GseLink({ accession }: { accession: string }) {
  const page = gsePage(accession);
  if (page === undefined) return accession;
  return (
    <a
      href={page}
      target="_blank"
      rel="noreferrer"
      className="text-accent inline-flex items-center gap-1 rounded underline underline-offset-4"
    >
      {accession}
      <ExternalLink aria-label="(opens in a new tab)" className="size-3.5" />
    </a>
  );
}
