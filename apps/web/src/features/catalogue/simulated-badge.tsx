import { FlaskConical } from 'lucide-react';
import { Badge } from '@/components/ui/badge.tsx';

/** On every showing of a dataset that was made by the simulator. */
export function SimulatedBadge() {
  return (
    <Badge variant="warning" title="Made by a simulator for trying the tool; not measured on patients.">
      <FlaskConical aria-hidden className="size-3" />
      Simulated
    </Badge>
  );
}
