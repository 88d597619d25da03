import { useId, useState } from 'react';
import { Label } from '@/components/ui/form.tsx';
import { RadioGroup, RadioGroupItem } from '@/components/ui/radio-group.tsx';
import { CellSetField, type ChosenSet } from '@/features/cell-sets/index.ts';
import { DatasetFilePanel } from './dataset-file-panel.tsx';
import type { ExportPanelProps } from './export-cells-panel.tsx';
import { ExportCellsPanel } from './export-cells-panel.tsx';

const formats = [
  { value: 'csv', label: 'Table of the cells (CSV)' },
  { value: 'parquet', label: 'Table of the cells (Parquet)' },
  { value: 'h5ad', label: 'Everything, for scanpy and R (.h5ad)' },
] as const;
type Format = (typeof formats)[number]['value'];

export function ExportPanel(props: ExportPanelProps) {
  const id = useId();
  const [format, setFormat] = useState<Format>('csv');
  const [cells, setCells] = useState<ChosenSet>();
  return (
    <div className="flex flex-col gap-4">
      <CellSetField
        label="Cells to export"
        dataset={{ filename: props.filename, version: props.analysis.version }}
        value={cells}
        none="The active cells"
        onChange={setCells}
      />
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
      {format === 'h5ad' ? (
        <DatasetFilePanel {...props} cells={cells} />
      ) : (
        <ExportCellsPanel {...props} cells={cells} format={format} />
      )}
    </div>
  );
}
