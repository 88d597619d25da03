import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import type { AnalysisResult } from './analysis-module.ts';
import { DrawnFigure } from './result-figure.tsx';

interface RowFigureButtonProps {
  result: AnalysisResult;
  /** Place in the file. */
  row: number;
}

/** Opens the figure of one row over the result; nothing where its rows have none. */
export function RowFigureButton({ result: { module, answer, table }, row }: RowFigureButtonProps) {
  const [open, setOpen] = useState(false);
  const figure = answer.source && module.figureOfRow?.source(answer.source, table, row);
  if (!figure) return null;
  const { source, title } = figure;
  const name = module.figureOfRow?.name ?? '';
  return (
    <>
      <Button
        variant="ghost"
        size="xs"
        aria-label={`${name} of ${title}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {name}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent className="max-w-[min(calc(100vw-2rem),52rem)] gap-3 p-5">
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription className="text-[13px]">
            Of the cells that the result is of, in all groups of the column.
          </DialogDescription>
          <DrawnFigure source={source} alt={`${name} of ${title}`} word="figure" />
        </DialogContent>
      </Dialog>
    </>
  );
}
