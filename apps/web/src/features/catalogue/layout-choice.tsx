import { Columns3, ListOrdered } from 'lucide-react';
import { ToggleGroup, ToggleGroupItem } from '@/components/ui/toggle-group.tsx';
import type { Layout } from './use-layout.ts';

/** Three columns side by side, or one step after the other. */
export function LayoutChoice({ value, onChange }: { value: Layout; onChange: (layout: Layout) => void }) {
  return (
    <ToggleGroup
      type="single"
      aria-label="Layout"
      value={value}
      // A second click on the one that is on would leave none.
      onValueChange={(next: string) => {
        if (next === 'columns' || next === 'steps') onChange(next);
      }}
    >
      <ToggleGroupItem value="columns">
        <Columns3 aria-hidden />
        Columns
      </ToggleGroupItem>
      <ToggleGroupItem value="steps">
        <ListOrdered aria-hidden />
        Steps
      </ToggleGroupItem>
    </ToggleGroup>
  );
}
