import { scanpyCellTest, usualCellTest } from '@cellfolio/contract';
import { CheckSentence } from '@/components/check-list.tsx';

interface CellTestForm {
  /** `yes` for the defaults of scanpy; empty for ours. */
  asScanpy: string;
  /** `downsample`, or empty for values as they are. */
  depth: string;
}

interface CellTestFieldsProps {
  form: CellTestForm;
  /** Whether there are raw counts to thin. */
  hasCounts: boolean;
  onChange: (change: Partial<CellTestForm>) => void;
}

/** How cells are tested: at which depth, and whether by the defaults of scanpy, for results to compare with its own. */
export function CellTestFields({ form, hasCounts, onChange }: CellTestFieldsProps) {
  return (
    <>
      {hasCounts && (
        <CheckSentence
          checked={form.depth === 'downsample'}
          onChange={(isOn) => onChange({ depth: isOn ? 'downsample' : '' })}
        >
          Test at equal depth: raw counts are thinned at random until all sides have the lowest depth per
          cell. Otherwise most genes seem lower where cells have fewer counts.
        </CheckSentence>
      )}
      <CheckSentence
        checked={form.asScanpy === 'yes'}
        onChange={(isOn) => onChange({ asScanpy: isOn ? 'yes' : '' })}
      >
        Test with the defaults of scanpy: Wilcoxon without tie correction, which misses genes of few cells, no
        exact test of genes that few cells express, and a pseudocount of {scanpyCellTest.pseudocount} instead
        of {usualCellTest.pseudocount} in fold changes.
      </CheckSentence>
    </>
  );
}
