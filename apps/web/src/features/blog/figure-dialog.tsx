import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';

interface FigureDialogProps {
  src: string;
  width: number;
  height: number;
  alt: string;
  onClose: () => void;
}

export function FigureDialog({ src, width, height, alt, onClose }: FigureDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-[min(calc(100vw-2rem),80rem)] gap-3 p-4">
        <DialogTitle className="pr-10">Figure</DialogTitle>
        <DialogDescription className="pr-10">{alt}</DialogDescription>
        <div
          role="region"
          aria-label="Picture"
          // Scrolls where the window is smaller than the picture, also from the keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="bg-figure min-h-0 overflow-auto rounded-md"
        >
          <img
            src={src}
            alt={alt}
            width={width}
            height={height}
            style={{ minWidth: Math.min(width, 600) }}
            className="mx-auto h-auto max-h-[calc(100dvh-9rem)] w-auto max-md:max-h-none"
          />
        </div>
      </DialogContent>
    </Dialog>
  );
}
