import type { FigureSource } from '@cellfolio/contract';
import { cellNumbersName } from '@cellfolio/figures/content';
import { type ReactNode, useState } from 'react';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { ToggleGroup, ToggleGroupItem } from '@/components/ui/toggle-group.tsx';
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

/** Up to this many figures all have their names in sight. */
const maxInSight = 4;

interface FigurePickerProps {
  figures: readonly OfferedFigure[];
  chosen: string;
  onChoose: (id: string) => void;
}

function FigurePicker({ figures, chosen, onChoose }: FigurePickerProps) {
  if (figures.length <= maxInSight)
    return (
      <ToggleGroup
        type="single"
        aria-label="Figure"
        className="flex-wrap p-0.5"
        value={chosen}
        // A click on what is chosen already chooses nothing.
        onValueChange={(next) => next !== '' && onChoose(next)}
      >
        {figures.map(({ id, label }) => (
          <ToggleGroupItem key={id} value={id} className="h-7 px-2 text-xs">
            {label}
          </ToggleGroupItem>
        ))}
      </ToggleGroup>
    );
  return (
    <Select value={chosen} onValueChange={onChoose}>
      <SelectTrigger data-size="sm" className="w-64" aria-label="Figure">
        <SelectValue />
      </SelectTrigger>
      <SelectContent>
        {figures.map(({ id, label }) => (
          <SelectItem key={id} value={id}>
            {label}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
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
        <FigurePicker figures={figures} chosen={id} onChoose={setChosen} />
        <DownloadFigure source={source} title={label} word={word} file={file} />
        {numbers !== undefined && <KeepNumbers source={source} suggestion={numbers} />}
        {children}
      </div>
      <DrawnFigure source={source} alt={`${label}${of}`} word={word} />
    </div>
  );
}
