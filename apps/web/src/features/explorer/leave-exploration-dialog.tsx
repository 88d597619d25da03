import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import type { LibraryImage } from '@/features/image-library/library-image.ts';
import { maxGenerated } from '@/features/image-library/library-rules.ts';
import { counted } from '@/lib/counted.ts';
import type { LeaveGuard } from './use-leave-guard.ts';

interface LeaveExplorationDialogProps {
  /** The generated images of the library. */
  images: readonly LibraryImage[];
  /** The analyses whose results are shown, by name; they go with the page. */
  results: readonly string[];
  guard: LeaveGuard;
}

/** Asks before images and results are left behind; closing it is staying. */
export function LeaveExplorationDialog({ images, results, guard }: LeaveExplorationDialogProps) {
  return (
    <Dialog open={guard.asking} onOpenChange={(open) => !open && guard.stay()}>
      <DialogContent>
        <DialogTitle>Leave Exploration</DialogTitle>
        <DialogDescription>{leaveText(images, results)}</DialogDescription>
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

function leaveText(images: readonly LibraryImage[], results: readonly string[]): string {
  const library = images.length === 0 ? '' : `${imagesText(images)} in the Image Library`;
  const analyses = results.length === 0 ? '' : `results of ${results.join(' and ')}`;
  const all = [library, analyses].filter((part) => part !== '').join(', and ');
  const kept =
    results.length === 0
      ? `The library keeps your newest ${maxGenerated} images.`
      : 'Analysis results are not kept.';
  return `You have ${all}. ${kept} Please download what you want to keep before you leave.`;
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
