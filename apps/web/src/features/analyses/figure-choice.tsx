import type { FigureFormat, FigureSource } from '@cellfolio/contract';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { renderFigure } from '@/features/images/index.ts';
import { useServices } from '@/lib/services.ts';
import type { useSaveResult } from './result-downloads.tsx';
import { DrawnFigure } from './result-figure.tsx';

export interface FigureChoiceOption {
  readonly kind: FigureSource['content']['kind'];
  readonly label: string;
  /** In the middle of a sentence. */
  readonly word: string;
}

interface FigureChoiceProps {
  /** Of one analysis: they differ in the kind of their content. */
  options: readonly FigureChoiceOption[];
  /** Of the one that is shown first. */
  source: FigureSource;
  /** Behind the label of a figure, for those who do not see it. */
  alt: string;
  saving: ReturnType<typeof useSaveResult>;
  /** Further downloads. */
  children?: ReactNode;
}

const formats = [
  { format: 'png', ending: '.png', label: 'PNG' },
  { format: 'png-300dpi', ending: '_300dpi.png', label: 'PNG, 300 dpi' },
  { format: 'svg', ending: '.svg', label: 'SVG' },
] as const satisfies readonly { format: FigureFormat; ending: string; label: string }[];

/** The figures of a result, one at a time, with the files of that. */
export function FigureChoice({ options, source, alt, saving, children }: FigureChoiceProps) {
  const { api } = useServices();
  const { save, preparing } = saving;
  const [chosen, setChosen] = useState<string>(source.content.kind);
  const { kind, label, word } = options.find((one) => one.kind === chosen) ?? options[0]!;
  const shown = { ...source, content: { ...source.content, kind } as FigureSource['content'] };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Select value={kind} onValueChange={setChosen}>
          <SelectTrigger data-size="sm" className="w-64" aria-label="Figure">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {options.map((one) => (
              <SelectItem key={one.kind} value={one.kind}>
                {one.label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
        {formats.map(({ format, ending, label: name }) => (
          <Button
            key={format}
            variant="secondary"
            size="sm"
            disabled={preparing}
            aria-label={`Download ${label} as ${name}`}
            onClick={() =>
              save({
                name: `${kind.replaceAll('-', '_')}${ending}`,
                what: word,
                file: () => renderFigure(api, shown, format),
              })
            }
          >
            <Download aria-hidden />
            {name}
          </Button>
        ))}
        {children}
      </div>
      <DrawnFigure source={shown} alt={`${label}, ${alt}`} word={word} />
    </div>
  );
}
