import type { Annotation } from '@cellfolio/contract';
import { Ellipsis } from 'lucide-react';
import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogTitle } from '@/components/ui/dialog.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { anyFile } from '@/lib/api-client.ts';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { fileNamePart, saveFile } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import type { AnnotationActions } from './annotation-calls.ts';

interface AnnotationMenuProps {
  annotation: Annotation;
  action: AnnotationActions;
  filename: string;
}

export function AnnotationMenu({ annotation, action, filename }: AnnotationMenuProps) {
  const { api } = useServices();
  const [openDialog, setOpenDialog] = useState<'rename' | 'delete' | null>(null);
  const { name } = annotation;
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
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon-sm" aria-label={`More about ${name}`} title="More">
            <Ellipsis aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem onSelect={() => setOpenDialog('rename')}>Rename</DropdownMenuItem>
          <DropdownMenuItem onSelect={() => void exportTable()}>Export active cells as CSV</DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setOpenDialog('delete')}>Delete</DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {openDialog === 'rename' && (
        <NameForm
          label="Name of the annotation"
          initial={name}
          submit="Rename"
          onClose={() => setOpenDialog(null)}
          onSubmit={(next) => action.mutate({ do: 'rename', of: annotation, name: next })}
        />
      )}
      <DeleteQuestion
        annotation={annotation}
        action={action}
        open={openDialog === 'delete'}
        onClose={() => setOpenDialog(null)}
      />
    </>
  );
}

export function DeleteAnnotation({
  annotation,
  action,
}: {
  annotation: Annotation;
  action: AnnotationActions;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" size="xs" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <DeleteQuestion annotation={annotation} action={action} open={open} onClose={() => setOpen(false)} />
    </>
  );
}

interface DeleteQuestionProps {
  annotation: Annotation;
  action: AnnotationActions;
  open: boolean;
  onClose: () => void;
}

function DeleteQuestion({ annotation, action, open, onClose }: DeleteQuestionProps) {
  return (
    <ConfirmQuestion
      open={open}
      title={`Delete ${annotation.name}?`}
      action="Delete"
      onAction={() => action.mutate({ do: 'delete', of: annotation })}
      onClose={onClose}
    >
      Its labels and history are deleted. Images drawn from it are kept.
    </ConfirmQuestion>
  );
}

interface NameFormProps {
  label: string;
  initial: string;
  submit: string;
  onSubmit: (name: string) => void;
  onClose: () => void;
}

function NameForm({ label, initial, submit, onSubmit, onClose }: NameFormProps) {
  const id = useId();
  const [name, setName] = useState(initial);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '' && name.trim() !== initial) onSubmit(name.trim());
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-sm">
        <DialogTitle className="pr-6 wrap-anywhere">Rename {initial}</DialogTitle>
        <form className="flex flex-col gap-2" onSubmit={send}>
          <Label htmlFor={id}>{label}</Label>
          <Input id={id} maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
          <Button type="submit" className="mt-2 self-end">
            {submit}
          </Button>
        </form>
      </DialogContent>
    </Dialog>
  );
}
