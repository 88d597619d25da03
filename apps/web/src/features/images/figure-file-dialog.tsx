import type { FigureFormat } from '@cellfolio/contract';
import { maxFileMm, minFileMm } from '@cellfolio/contract';
import { smallSize } from '@cellfolio/figures/content';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ChoiceLine } from '@/components/choice-line.tsx';
import { FormDialog } from '@/components/form-dialog.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { useSettled } from '@/lib/use-time.ts';
import { millimetresText, pixelsText } from './image-data.ts';
import type { FigureFile, FileSizes } from './render-figure.ts';

/** Sizes of a figure's files in a layout; `null` if it cannot be drawn any more. */
export type SizesOfFiles = (file: FigureFile, signal: AbortSignal) => Promise<FileSizes | null>;

interface FigureFileDialogProps {
  title: string;
  sizesOf: SizesOfFiles;
  onSave: (format: FigureFormat, file: FigureFile) => void;
  onClose: () => void;
}

const formats: readonly { value: FigureFormat; label: string }[] = [
  { value: 'pdf', label: 'PDF' },
  { value: 'svg', label: 'SVG' },
  { value: 'png-300dpi', label: 'PNG, 300 dpi' },
];

const blocks = [
  { value: 'figure', label: 'As in the figure' },
  { value: 'own', label: 'With your own title' },
  { value: 'none', label: 'None' },
] as const;

type Block = (typeof blocks)[number]['value'];

const pointsPerMm = 72 / 25.4;

/** Asks how a figure is laid out as a file: format, title block and width. */
export function FigureFileDialog({ title, sizesOf, onSave, onClose }: FigureFileDialogProps) {
  const [format, setFormat] = useState<FigureFormat>('pdf');
  const [block, setBlock] = useState<Block>('figure');
  const [ownTitle, setOwnTitle] = useState(title);
  const [width, setWidth] = useState('');
  const mm = width.trim() === '' ? undefined : Number(width.replace(',', '.'));
  const isWidth = mm === undefined || (mm >= minFileMm && mm <= maxFileMm);
  const isTitle = block !== 'own' || ownTitle.trim() !== '';
  const file: FigureFile = {
    ...(block === 'none' && { title_block: false }),
    ...(block === 'own' && isTitle && { title: ownTitle.trim() }),
    ...(mm !== undefined && isWidth && { width_mm: mm }),
  };
  const size = useSizeText(sizesOf, file, format);
  return (
    <FormDialog
      title="Download figure"
      description={title}
      className="max-w-md"
      note={isWidth ? size : ''}
      submit={{ text: 'Download', ready: isWidth && isTitle, pending: false }}
      onSubmit={() => {
        onSave(format, file);
        onClose();
      }}
      onClose={onClose}
    >
      <ChoiceLine label="Format" options={formats} chosen={format} onChoose={setFormat} />
      <ChoiceLine label="Title block" options={blocks} chosen={block} onChoose={setBlock} />
      {block === 'own' && (
        <Field label="Title" error={isTitle ? undefined : 'Enter a title.'}>
          {(control) => (
            <Input
              {...control}
              value={ownTitle}
              maxLength={300}
              onChange={(event) => setOwnTitle(event.target.value)}
            />
          )}
        </Field>
      )}
      <WidthField width={width} isValid={isWidth} onChange={setWidth} />
    </FormDialog>
  );
}

interface WidthFieldProps {
  width: string;
  isValid: boolean;
  onChange: (width: string) => void;
}

function WidthField({ width, isValid, onChange }: WidthFieldProps) {
  const list = useId();
  return (
    <Field
      label="Width in mm"
      optional
      hint="One journal column is often 85 to 89 mm, two are 174 to 183 mm."
      error={isValid ? undefined : `Enter a width of ${minFileMm} to ${maxFileMm} mm.`}
    >
      {(control) => (
        <>
          <Input
            {...control}
            inputMode="decimal"
            list={list}
            value={width}
            placeholder="As in the figure"
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={list}>
            {['85', '89', '174', '183'].map((mm) => (
              <option key={mm} value={mm}>
                {mm} mm
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function useSizeText(sizesOf: SizesOfFiles, file: FigureFile, format: FigureFormat): string {
  const settled = useSettled(JSON.stringify(file));
  const { data } = useQuery({
    queryKey: ['figure-file-sizes', settled],
    queryFn: ({ signal }) => sizesOf(JSON.parse(settled) as FigureFile, signal),
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  if (!data) return '';
  const points = ((smallSize * data.pdf.width) / data.svg.width) * pointsPerMm;
  return [
    millimetresText(data.pdf),
    ...(format === 'png-300dpi' ? [pixelsText(data[format])] : []),
    `smallest text ${points.toFixed(1)} pt`,
  ].join(' · ');
}
