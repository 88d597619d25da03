import { useState } from 'react';
import { PaletteButton } from '@/components/palette-button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { useDocuments } from '@/features/documents/index.ts';
import { annotationCalls, annotationsOf, useAnnotations } from './annotation-calls.ts';
import { AnnotationGroups } from './annotation-groups.tsx';
import { AnnotationHistory } from './annotation-history.tsx';

interface AnnotationGroupsButtonProps {
  filename: string;
  version: string;
  name: string;
}

export function AnnotationGroupsButton({ filename, version, name }: AnnotationGroupsButtonProps) {
  const [open, setOpen] = useState(false);
  const documents = useDocuments(annotationsOf(filename), { enabled: false });
  const annotation = useAnnotations(filename, version).find((one) => one.name === name);
  if (annotation === undefined) return null;
  const about = `Order, colors and names of ${name}`;
  return (
    <>
      <PaletteButton about={about} onClick={() => setOpen(true)} />
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent className="gap-3">
          <DialogTitle className="pr-8 wrap-anywhere">{about}</DialogTitle>
          <DialogDescription className="text-[13px]">
            Changes are saved at once; undo them in the history.
          </DialogDescription>
          <div className="flex justify-end">
            <AnnotationHistory annotation={annotation} documents={documents} />
          </div>
          <AnnotationGroups
            key={annotation.revision}
            annotation={annotation}
            busy={documents.isPending}
            onChange={(change) => void documents.run(annotationCalls.change(annotation, change))}
          />
        </DialogContent>
      </Dialog>
    </>
  );
}
