import { useId, useState } from 'react';
import { Label } from '@/components/ui/form.tsx';
import { RadioGroup, RadioGroupItem } from '@/components/ui/radio-group.tsx';
import { DatasetFilePanel } from './dataset-file-panel.tsx';
import type { ExportCellsPanelProps } from './export-cells-panel.tsx';
import { ExportCellsPanel } from './export-cells-panel.tsx';

const formats = [
  { value: 'csv', label: 'Table of the cells (CSV)' },
  { value: 'h5ad', label: 'Everything, for scanpy and R (.h5ad)' },
] as const;
type Format = (typeof formats)[number]['value'];

/** Export Cells: the active cells as a table, or with all that is known of them as a file of AnnData. */
export function ExportPanel(props: ExportCellsPanelProps) {
  const id = useId();
  const [format, setFormat] = useState<Format>('csv');
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup
        aria-label="Format of the file"
        className="gap-1.5"
        value={format}
        onValueChange={(next) => setFormat(next as Format)}
      >
        {formats.map(({ value, label }) => (
          <div key={value} className="flex items-center gap-2">
            <RadioGroupItem id={`${id}-${value}`} value={value} />
            <Label htmlFor={`${id}-${value}`} className="text-[13px] font-normal">
              {label}
            </Label>
          </div>
        ))}
      </RadioGroup>
      {format === 'csv' ? <ExportCellsPanel {...props} /> : <DatasetFilePanel {...props} />}
    </div>
  );
}
