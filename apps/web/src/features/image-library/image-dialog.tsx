import { Download } from 'lucide-react';
import { FigureImage } from '@/components/figure-image.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import type { LibraryImage } from './library-image.ts';
import { saveImage } from './save-image.ts';

/** One figure as large as the window allows. */
export function ImageDialog({ image, onClose }: { image: LibraryImage | null; onClose: () => void }) {
  return (
    <Dialog open={image !== null} onOpenChange={(open) => !open && onClose()}>
      {image !== null && (
        <DialogContent className="h-[calc(100dvh-2rem)] max-w-[min(calc(100vw-2rem),72rem)] gap-3 p-4">
          <div className="flex items-center gap-4 pr-10">
            <div className="min-w-0 flex-1">
              <DialogTitle className="truncate">{image.title}</DialogTitle>
              <DialogDescription className="truncate">
                {image.subtitle} · {image.datasetName}
              </DialogDescription>
            </div>
            <Button variant="secondary" size="sm" onClick={() => void saveImage(image)}>
              <Download aria-hidden />
              Download PNG
            </Button>
          </div>
          <div className="min-h-0 flex-1 overflow-hidden rounded-md">
            <FigureImage src={image.imageUrl} alt={`${image.title}, ${image.subtitle}`} />
          </div>
        </DialogContent>
      )}
    </Dialog>
  );
}
