import type { FigureSource } from '@cellfolio/contract';
import { isLiveMap } from '@cellfolio/plots/content';
import { Map as MapIcon } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import type { AnalysisResult, RowFigure } from './analysis-module.ts';
import { DrawnFigure } from './result-figure.tsx';

interface RowFiguresProps {
  result: AnalysisResult;
  /** Row index in the file. */
  row: number;
  onShow: (source: FigureSource) => void;
}

export function RowFigureButtons({ result, row, onShow }: RowFiguresProps) {
  const { figuresOfRow = [] } = result.module;
  return (
    <span className="inline-flex align-middle">
      {figuresOfRow.map((figure) => (
        <RowFigureButton key={figure.name} {...{ result, row, figure, onShow }} />
      ))}
    </span>
  );
}

function RowFigureButton({
  result: { answer, table },
  row,
  figure: { name, about, source: sourceOf },
  onShow,
}: RowFiguresProps & { figure: RowFigure }) {
  const [open, setOpen] = useState(false);
  const figure = answer.source && sourceOf(answer.source, table, row);
  if (!figure) return null;
  const { source, title } = figure;
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
          <DialogDescription className="text-[13px]">{about}</DialogDescription>
          <DrawnFigure source={source} alt={`${name} of ${title}`} word="figure" />
          {isLiveMap(source.content) && (
            <Button variant="secondary" size="sm" className="self-start" onClick={() => onShow(source)}>
              <MapIcon aria-hidden />
              Show in the viewer
            </Button>
          )}
        </DialogContent>
      </Dialog>
    </>
  );
}
