import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Accordion, AccordionContent, AccordionItem, AccordionTrigger } from '@/components/ui/accordion.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import type { useDatasetMetadata } from '@/features/datasets/use-dataset-metadata.ts';
import { CallFailed } from '@/lib/api-errors.ts';
import { cn } from '@/lib/cn.ts';
import { counted } from '@/lib/counted.ts';
import type { Selection } from './use-selection.ts';

interface DiseaseListProps {
  query: ReturnType<typeof useDatasetMetadata>;
  selection: Selection;
  onSelect: (disease: string, subDisease: string) => void;
}

/** Diseases, each opening to its sub-diseases with the number of their datasets. */
export function DiseaseList(props: DiseaseListProps) {
  return (
    <Card aria-labelledby="browse-by-disease">
      <CardHeader>
        <CardTitle id="browse-by-disease">Browse by Disease</CardTitle>
      </CardHeader>
      <CardContent className="px-2 pb-2">
        <DiseaseListBody {...props} />
      </CardContent>
    </Card>
  );
}

function DiseaseListBody({ query, selection, onSelect }: DiseaseListProps) {
  const [open, setOpen] = useState<string[]>(selection.disease === null ? [] : [selection.disease]);

  if (query.isPending) {
    return (
      <p role="status" className="text-muted flex items-center gap-2 px-2 py-3">
        <Spinner />
        Loading diseases...
      </p>
    );
  }
  if (query.isError) {
    return (
      <div className="flex flex-col items-start gap-2 px-2 pb-2">
        <Alert variant="danger" role="alert">
          <div className="min-w-0 break-words">
            <p>Error loading diseases: {query.error.message}</p>
            {query.error instanceof CallFailed && <p className="mt-1 text-xs">{query.error.reason}</p>}
          </div>
        </Alert>
        <Button
          variant="secondary"
          size="sm"
          onClick={() => void query.refetch()}
          disabled={query.isFetching}
        >
          <RotateCcw aria-hidden />
          Try again
        </Button>
      </div>
    );
  }
  const diseases = Object.entries(query.data);
  if (diseases.length === 0) return <p className="text-muted px-2 py-3">No diseases available</p>;
  return (
    <Accordion type="multiple" value={open} onValueChange={setOpen}>
      {diseases.map(([disease, subDiseases]) => (
        <AccordionItem key={disease} value={disease}>
          <AccordionTrigger>{disease}</AccordionTrigger>
          <AccordionContent>
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
                        'w-full rounded-md px-3 py-1.5 text-left text-[13px] transition-colors',
                        chosen
                          ? 'bg-accent-soft text-accent-soft-foreground font-medium'
                          : 'hover:bg-surface-2',
                      )}
                    >
                      {`${subDisease} (${counted(datasets.length, 'dataset')})`}
                    </button>
                  </li>
                );
              })}
            </ul>
          </AccordionContent>
        </AccordionItem>
      ))}
    </Accordion>
  );
}
