import type { FigureSource } from '@cellfolio/contract';
import { cellNumbersName } from '@cellfolio/figures/content';
import { type ReactNode, useState } from 'react';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { KeepNumbers } from '@/features/annotations/index.ts';
import { DownloadFigure } from './download-figure.tsx';
import { DrawnFigure } from './result-figure.tsx';

export interface OfferedFigure {
  id: string;
  label: string;
  /** Name for the middle of a sentence. */
  word: string;
  file: string;
  source: FigureSource;
  of: string;
}

interface FigureKind {
  kind: FigureSource['content']['kind'];
  label: string;
  word: string;
}

export function figuresOfKinds(
  kinds: readonly FigureKind[],
  source: FigureSource,
  of: string,
): OfferedFigure[] {
  return kinds.map(({ kind, label, word }) => ({
    id: kind,
    label,
    word,
    file: kind.replaceAll('-', '_'),
    source: { ...source, content: { ...source.content, kind } as FigureSource['content'] },
    of,
  }));
}

interface FigureChoiceProps {
  /** At least one; the first is shown. */
  figures: readonly OfferedFigure[];
  children?: ReactNode;
}

export function FigureChoice({ figures, children }: FigureChoiceProps) {
  const [chosen, setChosen] = useState('');
  const { id, label, word, file, source, of } = figures.find((one) => one.id === chosen) ?? figures[0]!;
  const numbers = cellNumbersName(source.content);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Select value={id} onValueChange={setChosen}>
          <SelectTrigger data-size="sm" className="w-64" aria-label="Figure">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {figures.map((one) => (
              <SelectItem key={one.id} value={one.id}>
                {one.label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
        <DownloadFigure source={source} title={label} word={word} file={file} />
        {numbers !== undefined && <KeepNumbers source={source} suggestion={numbers} />}
        {children}
      </div>
      <DrawnFigure source={source} alt={`${label}${of}`} word={word} />
    </div>
  );
}
