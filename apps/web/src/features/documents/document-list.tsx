import { CircleAlert, Ellipsis, Trash2 } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogTitle } from '@/components/ui/dialog.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { reasonOf } from '@/lib/api-errors.ts';
import { cn } from '@/lib/cn.ts';

interface ListFailureProps {
  /** `gene lists`. */
  noun: string;
  error: unknown;
  onRetry: () => void;
}

export function ListFailure({ noun, error, onRetry }: ListFailureProps) {
  return (
    <Alert variant="danger" role="alert">
      <CircleAlert aria-hidden />
      <span className="flex flex-col items-start gap-2">
        The {noun} could not be read. {reasonOf(error)}
        <Button variant="secondary" size="xs" onClick={onRetry}>
          Try again
        </Button>
      </span>
    </Alert>
  );
}

interface ListStateProps<Data> {
  list: {
    data: Data | undefined;
    isPending: boolean;
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
  };
  noun: string;
  children: (data: Data) => ReactNode;
}

/** Shows a list that is read, a placeholder until then, or the reason why it could not be read. */
export function ListState<Data>({ list, noun, children }: ListStateProps<Data>) {
  if (list.isError) return <ListFailure noun={noun} error={list.error} onRetry={() => void list.refetch()} />;
  if (list.isPending || list.data === undefined) return <Skeleton className="h-16" />;
  return children(list.data);
}

type Question = 'rename' | 'remove';

interface DocumentMenuProps {
  name: string;
  /** Said with the name, where several may have the same. */
  about?: string;
  rename?: {
    label: string;
    /** Name of a document whose own is left empty; without it a name is needed. */
    otherwise?: string;
    /** Not called for the same name. */
    onRename: (name: string) => void;
  };
  remove: {
    /** Says what is deleted with it, and what is kept. */
    note: ReactNode;
    onRemove: () => void;
  };
  disabled?: boolean;
  /** Further items. */
  children?: ReactNode;
}

export function DocumentMenu(props: DocumentMenuProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  return <Menu {...props} question={question} onAsk={setQuestion} />;
}

interface MenuProps extends DocumentMenuProps {
  question: Question | null;
  onAsk: (next: Question | null) => void;
}

function Menu({ name, about = '', rename, remove, disabled = false, children, question, onAsk }: MenuProps) {
  const fullName = `${name}${about && `, ${about}`}`;
  return (
    <>
      {rename === undefined && children === undefined ? (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Delete ${fullName}`}
          disabled={disabled}
          onClick={() => onAsk('remove')}
        >
          <Trash2 aria-hidden />
        </Button>
      ) : (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="ghost" size="icon-sm" aria-label={`More about ${fullName}`} title="More">
              <Ellipsis aria-hidden />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent className="max-w-80">
            {rename && <DropdownMenuItem onSelect={() => onAsk('rename')}>Rename</DropdownMenuItem>}
            {children}
            <DropdownMenuItem onSelect={() => onAsk('remove')}>Delete</DropdownMenuItem>
          </DropdownMenuContent>
        </DropdownMenu>
      )}
      {rename && question === 'rename' && (
        <RenameDialog name={name} {...rename} onClose={() => onAsk(null)} />
      )}
      <ConfirmQuestion
        open={question === 'remove'}
        title={`Delete ${name}?`}
        action="Delete"
        onAction={remove.onRemove}
        onClose={() => onAsk(null)}
      >
        {remove.note}
      </ConfirmQuestion>
    </>
  );
}

interface RenameDialogProps extends NonNullable<DocumentMenuProps['rename']> {
  name: string;
  onClose: () => void;
}

function RenameDialog({ name, label, otherwise, onRename, onClose }: RenameDialogProps) {
  const id = useId();
  const [typed, setTyped] = useState(name);
  const send = (event: FormEvent) => {
    event.preventDefault();
    // The list may stand in a form.
    event.stopPropagation();
    const next = typed.trim();
    if (next !== name && (next !== '' || otherwise !== undefined)) onRename(next === otherwise ? '' : next);
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-sm" aria-describedby={undefined}>
        <DialogTitle className="pr-6 wrap-anywhere">Rename {name}</DialogTitle>
        <form className="flex flex-col gap-2" onSubmit={send}>
          <Label htmlFor={id}>{label}</Label>
          <Input
            id={id}
            maxLength={100}
            value={typed}
            placeholder={otherwise}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button type="submit" className="mt-2 self-end">
            Rename
          </Button>
        </form>
      </DialogContent>
    </Dialog>
  );
}

interface DocumentRowProps extends Omit<DocumentMenuProps, 'children'> {
  className?: string;
  /** Absent for a document that is not opened. */
  open?: {
    /** Default: its content. */
    label?: string;
    title?: string;
    disabled?: boolean;
    onOpen: () => void;
  };
  content: ReactNode;
  /** Buttons beside it. */
  actions?: ReactNode;
  /** Further items of its menu. */
  items?: ReactNode;
}

/**
 * An item of a list. With the keyboard: arrows move through the list, F2 renames and Delete deletes, both after a
 * question.
 */
export function DocumentRow({ className, open, content, actions, items, ...menu }: DocumentRowProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const keys = (event: KeyboardEvent<HTMLButtonElement>) => {
    const row = event.currentTarget.closest('li');
    if (event.key === 'ArrowDown') focusFirst(row?.nextElementSibling);
    else if (event.key === 'ArrowUp') focusFirst(row?.previousElementSibling);
    else if (event.key === 'F2' && menu.rename) setQuestion('rename');
    else if (event.key === 'Delete') setQuestion('remove');
    else return;
    event.preventDefault();
  };
  return (
    <li className={cn('flex items-center gap-1', className)}>
      {open ? (
        <button
          type="button"
          aria-label={open.label}
          title={open.title}
          disabled={open.disabled}
          className="hover:bg-surface-2 flex min-w-0 flex-1 items-center gap-2 rounded-md px-2 py-1 text-left text-[13px]"
          onClick={open.onOpen}
          onKeyDown={keys}
        >
          {content}
        </button>
      ) : (
        <div className="min-w-0 flex-1">{content}</div>
      )}
      {actions}
      <Menu {...menu} question={question} onAsk={setQuestion}>
        {items}
      </Menu>
    </li>
  );
}

function focusFirst(row: Element | null | undefined): void {
  row?.querySelector('button')?.focus();
}
