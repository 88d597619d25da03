import type { DatasetMetadata } from '@cellfolio/contract';
import { RotateCcw, Search } from 'lucide-react';
import { useState } from 'react';
import { Accordion, AccordionItem } from '@/components/ui/accordion.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { Input } from '@/components/ui/form.tsx';
import { CallFailed } from '@/lib/api-errors.ts';
import { cn } from '@/lib/cn.ts';
import { plural } from '@/lib/format.ts';
import { countDatasets } from './catalogue-entries.ts';
import type { useDatasetMetadata } from './dataset-metadata.tsx';
import type { Selection } from './selection.ts';

interface DiseaseListProps {
  title: string;
  query: ReturnType<typeof useDatasetMetadata>;
  /** The part of the catalogue that matches the search; `undefined` before the catalogue is loaded. */
  matches: DatasetMetadata | undefined;
  search: string;
  /** Filters are set, so the matches are not the whole catalogue even without a search. */
  filtered: boolean;
  onClearFilters: () => void;
  onSearch: (text: string) => void;
  selection: Selection;
  named: string | null;
  onSelect: (disease: string, subDisease: string) => void;
}

export const searchFrom = 4;

export function DiseaseList(props: DiseaseListProps) {
  const { title, query, search, onSearch } = props;
  return (
    <Card aria-labelledby="browse-by-disease">
      <CardHeader>
        <CardTitle id="browse-by-disease">{title}</CardTitle>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label="Refresh diseases"
          title="Refresh diseases"
          aria-disabled={query.isFetching}
          onClick={() => {
            if (!query.isFetching) void query.refetch();
          }}
        >
          <RotateCcw aria-hidden className={cn(query.isRefetching && 'animate-spin')} />
        </Button>
      </CardHeader>
      <CardContent className="px-2 pb-2">
        {query.data !== undefined && (countDatasets(query.data) >= searchFrom || search !== '') && (
          <div className="relative px-2 pb-2">
            <Search aria-hidden className="text-muted absolute top-2.5 left-4.5 size-4" />
            <Input
              type="search"
              aria-label="Search datasets"
              placeholder="Disease, cell type, gene, GSE…"
              className="pl-8"
              value={search}
              onChange={(event) => onSearch(event.target.value)}
            />
          </div>
        )}
        <DiseaseListBody {...props} />
      </CardContent>
    </Card>
  );
}

function DiseaseListBody(props: DiseaseListProps) {
  const { query, matches, search, filtered, onClearFilters, selection, named, onSelect } = props;
  const [open, setOpen] = useState<string[]>(named === null ? [] : [named]);
  const [followed, setFollowed] = useState(named);
  if (named !== followed) {
    setFollowed(named);
    if (named !== null && !open.includes(named)) setOpen([...open, named]);
  }

  const failure = query.isError && <LoadFailed query={query} />;
  if (matches === undefined) return failure;
  const diseases = Object.entries(matches);
  if (diseases.length === 0) {
    return (
      <>
        {failure}
        <p role="status" className="text-muted px-2 py-3 wrap-anywhere">
          {filtered
            ? 'No datasets match these filters.'
            : search.trim() === ''
              ? 'No diseases available'
              : `No datasets match “${search.trim()}”.`}
        </p>
        {filtered && (
          <Button variant="secondary" size="sm" className="mx-2 mb-2" onClick={onClearFilters}>
            Clear filters
          </Button>
        )}
      </>
    );
  }
  // What is searched or filtered for is shown.
  const opened = search.trim() === '' && !filtered ? open : diseases.map(([disease]) => disease);
  return (
    <>
      {failure}
      <Accordion>
        {diseases.map(([disease, subDiseases]) => (
          <AccordionItem
            key={disease}
            title={<span className="min-w-0 wrap-anywhere">{disease}</span>}
            open={opened.includes(disease)}
            onToggle={() =>
              setOpen(
                opened.includes(disease) ? opened.filter((other) => other !== disease) : [...opened, disease],
              )
            }
          >
            <ul>
              {Object.entries(subDiseases).map(([subDisease, datasets]) => {
                const chosen = selection.disease === disease && selection.subDisease === subDisease;
                return (
                  <li key={subDisease}>
                    <button
                      type="button"
                      aria-pressed={chosen}
                      onClick={() => onSelect(disease, subDisease)}
                      className={cn(
                        'w-full rounded-md px-3 py-1.5 text-left text-[13px] wrap-anywhere transition-colors',
                        chosen
                          ? 'bg-accent-soft text-accent-soft-foreground font-medium'
                          : 'hover:bg-surface-2',
                      )}
                    >
                      {`${subDisease} (${plural(datasets.length, 'dataset')})`}
                    </button>
                  </li>
                );
              })}
            </ul>
          </AccordionItem>
        ))}
      </Accordion>
    </>
  );
}

/** Shown above a previously loaded list, which stays. */
function LoadFailed({ query }: Pick<DiseaseListProps, 'query'>) {
  if (query.error === null) return null;
  return (
    <div className="flex flex-col items-start gap-2 px-2 pb-2">
      <Alert variant="danger" role="alert">
        <div className="min-w-0 break-words">
          <p>Error loading diseases: {query.error.message}</p>
          {query.error instanceof CallFailed && <p className="mt-1 text-xs">{query.error.reason}</p>}
        </div>
      </Alert>
      <Button variant="secondary" size="sm" onClick={() => void query.refetch()} disabled={query.isFetching}>
        <RotateCcw aria-hidden />
        Try again
      </Button>
    </div>
  );
}
