import { useId } from 'react';
import { Input, Label } from '@/components/ui/form.tsx';
import type { GeneIndex } from '@/features/genes/index.ts';
import { GeneChips, GeneSearch } from '@/features/genes/index.ts';
import { formatCount } from '@/lib/format.ts';
import type { FilterConfig } from './filter-config.ts';
import { unnamedSignature } from './filter-payload.ts';
import { PercentileInputs } from './percentile-inputs.tsx';

interface SignatureFilterFieldsProps {
  index: GeneIndex;
  value: FilterConfig['signatureFilter'];
  datasetCells: number;
  onChange: (value: FilterConfig['signatureFilter']) => void;
}

/** Cells by the score of a signature. */
export function SignatureFilterFields({ index, value, datasetCells, onChange }: SignatureFilterFieldsProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      <GeneSearch
        index={index}
        label="Genes of the signature"
        chosen={value.genes}
        onAdd={(genes) => onChange({ ...value, genes: [...value.genes, ...genes] })}
        onRemoveLast={() => onChange({ ...value, genes: value.genes.slice(0, -1) })}
        onConfirm={() => {}}
      />
      {value.genes.length > 0 && (
        <GeneChips
          label="Genes of the signature filter"
          genes={value.genes}
          onRemove={(gene) => onChange({ ...value, genes: value.genes.filter((other) => other !== gene) })}
          onClear={() => onChange({ ...value, genes: [] })}
        />
      )}
      <div className="flex flex-col gap-1">
        <Label htmlFor={id} className="text-xs">
          Filter signature name
        </Label>
        <Input
          id={id}
          className="h-8 px-2 text-[13px]"
          maxLength={200}
          autoComplete="off"
          placeholder={unnamedSignature}
          value={value.signatureName}
          onChange={(event) => onChange({ ...value, signatureName: event.target.value })}
        />
      </div>
      <PercentileInputs value={value} onChange={(range) => onChange({ ...value, ...range })} />
      <p className="text-muted text-xs">
        {`Scored on all ${formatCount(datasetCells)} cells of the dataset, so that a subset does not depend on the one before it. Signature Visualization scores the active subset.`}
      </p>
    </div>
  );
}
