import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import type { LibraryImage } from '@/features/image-library/library-image.ts';
import { counted } from '@/lib/counted.ts';
import type { LeaveGuard } from './use-leave-guard.ts';

interface LeaveExplorationDialogProps {
  /** The generated images, which go with the page. */
  images: readonly LibraryImage[];
  guard: LeaveGuard;
}

/** Asks before generated images are lost; closing it is staying. */
export function LeaveExplorationDialog({ images, guard }: LeaveExplorationDialogProps) {
  return (
    <Dialog open={guard.asking} onOpenChange={(open) => !open && guard.stay()}>
      <DialogContent>
        <DialogTitle>Leave Exploration</DialogTitle>
        <DialogDescription>
          You have {imagesText(images)} in the Image Library, kept for this visit only. Please download what
          you want to keep before you leave.
        </DialogDescription>
        <div className="flex justify-end gap-2">
          <Button variant="secondary" onClick={guard.stay}>
            Stay on Page
          </Button>
          <Button onClick={guard.leave}>Leave Page</Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}

function imagesText(images: readonly LibraryImage[]): string {
  const violins = images.filter(({ plotKind }) => plotKind === 'violin').length;
  const umaps = images.length - violins;
  const parts = [
    umaps > 0 ? counted(umaps, 'UMAP image') : '',
    violins > 0 ? counted(violins, 'violin plot') : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}
