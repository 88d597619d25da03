import type { DatasetMetadata } from '@cellfolio/contract';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { DatasetItems } from './dataset-items.tsx';
import { countDatasets } from './catalogue-entries.ts';
import type { GenesFound } from './use-gene-datasets.ts';
import type { Selection } from './use-selection.ts';

interface MatchListProps {
  /** What is searched for; nothing where facets alone narrow the catalogue. */
  search: string;
  /** The part of the catalogue that the search finds. */
  found: DatasetMetadata;
  /** Words of the search that are genes. */
  genes: GenesFound;
  selection: Selection;
  onSelect: (selection: Selection) => void;
}

/** All datasets that a search and the filters leave, of whatever disease. */
export function MatchList({ search, found, genes, selection, onSelect }: MatchListProps) {
  return (
    <Card aria-labelledby="dataset-list">
      <CardHeader>
        <CardTitle id="dataset-list" className="wrap-anywhere">
          Datasets matching {search === '' ? 'your filters' : `“${search}”`}{' '}
          <span className="text-muted tabular-nums">({countDatasets(found)})</span>
        </CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        {countDatasets(found) === 0 && (
          <p className="text-muted">
            Try fewer words or filters: a disease, a cell type, a gene, a treatment, or a GSE accession
            number.
          </p>
        )}
        {Object.entries(found).map(([disease, subDiseases]) => (
          <section key={disease} className="flex flex-col gap-2">
            <h3 className="text-sm font-medium wrap-anywhere">{disease}</h3>
            {Object.entries(subDiseases).map(([subDisease, datasets]) => (
              <div key={subDisease} className="flex flex-col gap-1.5">
                <h4 className="text-muted text-xs wrap-anywhere">{subDisease}</h4>
                <DatasetItems
                  datasets={datasets}
                  genes={genes}
                  chosen={selection.dataset}
                  onSelect={(dataset) => onSelect({ disease, subDisease, dataset })}
                />
              </div>
            ))}
          </section>
        ))}
      </CardContent>
    </Card>
  );
}
