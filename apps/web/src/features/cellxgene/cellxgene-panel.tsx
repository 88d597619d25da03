import type { DatasetAnalysis } from '@cellfolio/contract';
import { ClipboardCheck } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';

const CellxgeneDialog = lazy(async () => ({
  default: (await import('./cellxgene-dialog.tsx')).CellxgeneDialog,
}));

export interface CellxgenePanelProps {
  filename: string;
  datasetName: string;
  analysis: DatasetAnalysis;
}

export function CellxgenePanel(props: CellxgenePanelProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-col gap-2 border-t pt-3">
      <p className="text-muted text-xs">
        CELLxGENE Discover accepts files with ontology terms, raw counts and Ensembl ids for all cells. The
        check shows what this dataset lacks.
      </p>
      <Button variant="secondary" className="self-start" onClick={() => setOpen(true)}>
        <ClipboardCheck aria-hidden />
        Check for CELLxGENE...
      </Button>
      {open && (
        <Suspense>
          <CellxgeneDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
