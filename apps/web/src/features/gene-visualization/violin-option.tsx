import { useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox.tsx';

interface ViolinOptionProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** The choice of violin plots beside the UMAPs. */
export function ViolinOption({ checked, onChange }: ViolinOptionProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 text-[13px]">
      <Checkbox id={id} checked={checked} onCheckedChange={(next) => onChange(next === true)} />
      <label htmlFor={id}>Generate Expression by Cell Type Violin Plot</label>
    </div>
  );
}
