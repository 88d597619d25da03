import { Palette } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';

interface PaletteButtonProps {
  about: string;
  onClick: () => void;
}

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
