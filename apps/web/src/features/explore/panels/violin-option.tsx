import { useId } from 'react';
import type { GroupedBy } from '@cellfolio/plots/content';
import { Checkbox } from '@/components/ui/checkbox.tsx';

interface ViolinOptionProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  groupedBy: GroupedBy;
}

const labels: Record<GroupedBy, string> = {
  'cell type': 'Generate Expression by Cell Type Violin Plot',
  cluster: 'Generate Expression by Cluster Violin Plot',
  none: 'Generate Expression Violin Plot',
};

/** The choice of violin plots beside the UMAPs. */
export function ViolinOption({ checked, onChange, groupedBy }: ViolinOptionProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 text-[13px]">
      <Checkbox id={id} checked={checked} onCheckedChange={(next) => onChange(next === true)} />
      <label htmlFor={id}>{labels[groupedBy]}</label>
    </div>
  );
}
