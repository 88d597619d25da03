import { scanpyCellTest } from '@cellfolio/contract';
import { useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Label } from '@/components/ui/form.tsx';

export interface AsScanpyForm {
  /** `yes` for the defaults of scanpy; empty for ours. */
  asScanpy: string;
}

/** The parameters of a test of cells; without them the server takes its own defaults. */
export function cellTestRequest({ asScanpy }: AsScanpyForm): Partial<typeof scanpyCellTest> {
  return asScanpy === 'yes' ? scanpyCellTest : {};
}

/** Form field of a request with scanpy's defaults. */
export function askedTest({ tie_correct }: { readonly tie_correct?: boolean | undefined }): string {
  return tie_correct === false ? ', tested with the defaults of scanpy' : '';
}

interface AsScanpyFieldProps {
  form: AsScanpyForm;
  onChange: (change: AsScanpyForm) => void;
}

/** Whether cells are tested by the defaults of scanpy, for results to compare with its own. */
export function AsScanpyField({ form, onChange }: AsScanpyFieldProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <Checkbox
        id={id}
        checked={form.asScanpy === 'yes'}
        onCheckedChange={(next) => onChange({ asScanpy: next === true ? 'yes' : '' })}
      />
      <Label htmlFor={id} className="text-xs font-normal">
        Test with the defaults of scanpy: Wilcoxon without correction for ties, which hardly finds genes of
        few cells, and a pseudocount of {scanpyCellTest.pseudocount} instead of 1 in fold changes.
      </Label>
    </div>
  );
}
