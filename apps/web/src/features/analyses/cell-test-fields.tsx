import { scanpyCellTest } from '@cellfolio/contract';
import { useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Label } from '@/components/ui/form.tsx';

export interface CellTestForm {
  /** `yes` for the defaults of scanpy; empty for ours. */
  asScanpy: string;
  /** `downsample`, or empty for values as they are. */
  depth: string;
}

export const cellTestDefaults: CellTestForm = { asScanpy: '', depth: '' };

/** The parameters of a test of cells; without them the server takes its own defaults. */
export function cellTestRequest({
  asScanpy,
  depth,
}: CellTestForm): Partial<typeof scanpyCellTest> & { depth?: 'downsample' } {
  return {
    ...(asScanpy === 'yes' && scanpyCellTest),
    ...(depth === 'downsample' && { depth }),
  };
}

/** Form fields of a request that are not as usual. */
export function testFields({
  tie_correct,
  depth,
}: {
  readonly tie_correct?: boolean | undefined;
  readonly depth?: string | undefined;
}): string {
  return `${tie_correct === false ? ', tested with the defaults of scanpy' : ''}${depth === 'downsample' ? ', at equal depth' : ''}`;
}

interface CellTestFieldsProps {
  form: CellTestForm;
  /** Whether there are raw counts to thin. */
  hasCounts: boolean;
  onChange: (change: Partial<CellTestForm>) => void;
}

/** How cells are tested: at which depth, and whether by the defaults of scanpy, for results to compare with its own. */
export function CellTestFields({ form, hasCounts, onChange }: CellTestFieldsProps) {
  const id = useId();
  return (
    <>
      {hasCounts && (
        <div className="flex items-start gap-2">
          <Checkbox
            id={`${id}-depth`}
            checked={form.depth === 'downsample'}
            onCheckedChange={(next) => onChange({ depth: next === true ? 'downsample' : '' })}
          />
          <Label htmlFor={`${id}-depth`} className="text-xs font-normal">
            Test at equal depth: raw counts are thinned at random until all sides have as many per cell as the
            one with the fewest. Otherwise most genes seem lower where cells have fewer counts.
          </Label>
        </div>
      )}
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
    </>
  );
}
