import { Palette } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';

interface PaletteButtonProps {
  /** What it opens, such as `Order, colours and names of Cell Type`. */
  about: string;
  onClick: () => void;
}

/** Opens the order, colours and names of a column beside where it is chosen. */
export function PaletteButton({ about, onClick }: PaletteButtonProps) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      className="shrink-0"
      aria-label={about}
      title={about}
      onClick={onClick}
    >
      <Palette aria-hidden />
    </Button>
  );
}
