import type { Annotation } from '@cellfolio/contract';
import { useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { Button } from '@/components/ui/button.tsx';
import { DropdownMenuItem } from '@/components/ui/dropdown-menu.tsx';
import { toast } from '@/components/ui/toast.ts';
import { DocumentMenu } from '@/features/documents/index.ts';
import { anyFile } from '@/lib/api-client.ts';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { fileNamePart, saveFile } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import type { AnnotationDocuments } from './annotation-calls.ts';

interface AnnotationProps {
  annotation: Annotation;
  documents: AnnotationDocuments;
}

const note = 'Its labels and history are deleted. Images drawn from it are kept.';

export function AnnotationMenu({
  annotation: { id, name },
  documents: { change, remove },
  filename,
}: AnnotationProps & { filename: string }) {
  const { api } = useServices();
  const exportTable = async () => {
    try {
      const file = await api({
        path: '/api/export-cells',
        body: { columns: [name], coordinates: false },
        answer: anyFile,
        expects: 'file',
      });
      saveFile(file, `${fileNamePart(filename)}-${fileNamePart(name)}.csv`);
    } catch (error) {
      toast.error('The labels were not exported.', {
        description: error instanceof ApiRefusal ? error.body : 'Please try again.',
      });
    }
  };
  return (
    <DocumentMenu
      name={name}
      rename={{ label: 'Name of the annotation', onRename: (next) => void change(id, { name: next }) }}
      remove={{ note, onRemove: () => void remove(id) }}
    >
      <DropdownMenuItem onSelect={() => void exportTable()}>Export active cells as CSV</DropdownMenuItem>
    </DocumentMenu>
  );
}

export function DeleteAnnotation({ annotation: { id, name }, documents: { remove } }: AnnotationProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" size="xs" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <ConfirmQuestion
        open={open}
        title={`Delete ${name}?`}
        action="Delete"
        onAction={() => void remove(id)}
        onClose={() => setOpen(false)}
      >
        {note}
      </ConfirmQuestion>
    </>
  );
}
