import { Palette } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';

export function PaletteButton({ about, onClick }: { about: string; onClick: () => void }) {
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
