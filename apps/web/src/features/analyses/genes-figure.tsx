import { ChartScatter } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { plural } from '@/lib/format.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { DownloadFigure } from './download-figure.tsx';
import { DrawnFigure } from './result-figure.tsx';

interface GenesFigureButtonProps {
  result: AnalysisResult;
  /** The viewed group; empty for all. */
  group: string;
  genes: readonly string[];
}

export function GenesFigureButton({ result, group, genes }: GenesFigureButtonProps) {
  const { module, answer } = result;
  const [open, setOpen] = useState(false);
  const figure = module.figureOfGenes;
  if (figure === undefined || answer.source === null || genes.length === 0) return null;
  const plottedGenes = genes.slice(0, figure.most);
  const isCut = plottedGenes.length < genes.length;
  const title = `${figure.name} of ${isCut ? 'the first ' : ''}${plural(plottedGenes.length, 'selected gene')}`;
  const source = figure.source(answer.source, plottedGenes, group);
  return (
    <>
      <Button variant="secondary" size="sm" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <ChartScatter aria-hidden />
        {figure.name}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent className="max-h-[calc(100dvh-2rem)] max-w-[min(calc(100vw-2rem),64rem)] gap-3 overflow-y-auto p-5">
          <div className="flex flex-wrap items-start gap-2 pr-10">
            <div className="min-w-0 flex-1">
              <DialogTitle>{title}</DialogTitle>
              <DialogDescription className="text-[13px]">{figure.about}</DialogDescription>
            </div>
            <DownloadFigure
              source={source}
              title={title}
              word={figure.name.toLowerCase()}
              file={`${module.files.table}_selected_genes`}
            />
          </div>
          <DrawnFigure source={source} alt={title} word={figure.name.toLowerCase()} />
        </DialogContent>
      </Dialog>
    </>
  );
}
