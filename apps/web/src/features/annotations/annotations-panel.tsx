import type { Annotation } from '@cellfolio/contract';
import { columnTitle } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, CircleAlert, History, Plus, Redo2, Undo2 } from 'lucide-react';
import type { FormEvent } from 'react';
import { useId, useRef, useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { toast } from '@/components/ui/toast.ts';
import { ColumnPicker, columnListQuery, noSplit } from '@/features/map/index.ts';
import { anyFile } from '@/lib/api-client.ts';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { fileNamePart, saveFile } from '@/lib/files.ts';
import { counted, formatCount } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { readText, useDraft } from '@/lib/use-draft.ts';
import { annotationsQuery, useAnnotationAction } from './annotation-calls.ts';
import { AnnotationGroups } from './annotation-groups.tsx';
import { matchText } from './match-text.ts';

interface AnnotationsPanelProps {
  draftKey: string;
  filename: string;
  /** Of the dataset that is open. */
  version: string;
}

/** Labels of cells of one's own: which annotation, its groups, its history, and its way in and out as a table. */
export function AnnotationsPanel({ draftKey, filename, version }: AnnotationsPanelProps) {
  const { api } = useServices();
  const list = useQuery(annotationsQuery(api, filename));
  const [chosen, setChosen] = useDraft(`${draftKey}:annotation`, '', readText);
  const action = useAnnotationAction(filename);
  if (list.isPending) return <Skeleton className="h-16" />;
  if (list.isError) {
    return (
      <Alert variant="danger" role="alert">
        <CircleAlert aria-hidden />
        <span className="flex flex-col items-start gap-2">
          The annotations could not be read. {list.error.message}
          <Button variant="secondary" size="xs" onClick={() => void list.refetch()}>
            Try again
          </Button>
        </span>
      </Alert>
    );
  }
  const { annotations } = list.data;
  const current = annotations.find(({ id }) => id === chosen) ?? annotations.at(-1);
  return (
    <div className="flex flex-col gap-3">
      {current === undefined ? (
        <p className="text-muted text-[13px]">
          Label cells yourself: copy a column to rename, merge and recolour its groups, or begin without
          labels and label selections on the map. Only you see it.
        </p>
      ) : (
        <Select value={current.id} onValueChange={setChosen}>
          <SelectTrigger aria-label="Annotation">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {annotations.map(({ id, name }) => (
              <SelectItem key={id} value={id}>
                {name}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
      {current !== undefined && (
        <Current
          key={current.id}
          annotation={current}
          action={action}
          filename={filename}
          version={version}
        />
      )}
      <NewAnnotationButtons
        filename={filename}
        version={version}
        action={action}
        onCreated={({ id }) => setChosen(id)}
      />
    </div>
  );
}

type Action = ReturnType<typeof useAnnotationAction>;

interface CurrentProps {
  annotation: Annotation;
  action: Action;
  filename: string;
  version: string;
}

function Current({ annotation, action, filename, version }: CurrentProps) {
  const { groups, unlabelled } = annotation;
  const busy = action.isPending;
  if (annotation.version !== version) {
    return (
      <Alert variant="warning">
        <CircleAlert aria-hidden />
        <span className="flex flex-col items-start gap-2">
          The dataset was replaced since: these labels are of its version before. They can be carried over to
          the cells of the same barcodes.
          <span className="flex gap-2">
            <Button
              size="xs"
              disabled={busy}
              onClick={() =>
                action.mutate(
                  { do: 'carry-over', of: annotation },
                  {
                    onSuccess: ({ match }) =>
                      match && toast.success('Labels Carried Over', { description: matchText(match) }),
                  },
                )
              }
            >
              Carry over
            </Button>
            <DeleteButton annotation={annotation} action={action} />
          </span>
        </span>
      </Alert>
    );
  }
  return (
    <>
      <div className="flex items-center gap-1">
        <p role="status" className="text-muted min-w-0 flex-1 text-xs tabular-nums">
          {counted(groups.length, 'group')}, {formatCount(unlabelled)} unlabelled
        </p>
        <Steps annotation={annotation} action={action} />
        <More annotation={annotation} action={action} filename={filename} />
      </div>
      {groups.length > 0 ? (
        <AnnotationGroups
          key={annotation.revision}
          annotation={annotation}
          busy={busy}
          onChange={(change) => action.mutate({ do: 'change', of: annotation, change })}
        />
      ) : (
        <p className="text-muted text-[13px]">
          No cell has a label yet. Select cells on a map with the lasso, then choose Label.
        </p>
      )}
    </>
  );
}

/** Undo, redo, and the history to go back to. */
function Steps({ annotation, action }: { annotation: Annotation; action: Action }) {
  const { history, revision } = annotation;
  const at = history.findIndex((step) => step.revision === revision);
  const [before, after] = [history[at + 1], history[at - 1]];
  const go = (to: number) => action.mutate({ do: 'move', of: annotation, to });
  return (
    <>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={before ? `Undo: ${history[at]!.words}` : 'Undo'}
        title={before ? `Undo: ${history[at]!.words}` : 'Nothing to undo'}
        disabled={action.isPending || before === undefined}
        onClick={() => go(before!.revision)}
      >
        <Undo2 aria-hidden />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={after ? `Redo: ${after.words}` : 'Redo'}
        title={after ? `Redo: ${after.words}` : 'Nothing to redo'}
        disabled={action.isPending || after === undefined}
        onClick={() => go(after!.revision)}
      >
        <Redo2 aria-hidden />
      </Button>
      <Popover>
        <PopoverTrigger asChild>
          <Button variant="ghost" size="icon-sm" aria-label="History" title="History">
            <History aria-hidden />
          </Button>
        </PopoverTrigger>
        <PopoverContent align="end" className="max-h-96 w-80 overflow-y-auto p-2">
          <p className="px-2 pb-1 text-[13px] font-medium">History</p>
          <ol className="flex flex-col">
            {history.map((step) => (
              <li key={step.revision}>
                <button
                  type="button"
                  aria-current={step.revision === revision ? 'step' : undefined}
                  disabled={action.isPending || step.revision === revision}
                  onClick={() => go(step.revision)}
                  className="hover:bg-surface-2 aria-[current]:bg-accent-soft w-full rounded px-2 py-1 text-left text-xs"
                >
                  <span className="block wrap-anywhere">{step.words}</span>
                  <span className="text-muted tabular-nums">
                    {new Date(step.at).toLocaleString()}, {counted(step.cells, 'cell')}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          <p className="text-muted px-2 pt-1 text-xs">The latest 20 states are kept.</p>
        </PopoverContent>
      </Popover>
    </>
  );
}

function More({ annotation, action, filename }: Omit<CurrentProps, 'version'>) {
  const { api } = useServices();
  const [asked, setAsked] = useState<'rename' | 'delete' | null>(null);
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
          <Button variant="ghost" size="xs" aria-label={`More about ${name}`}>
            More <ChevronDown aria-hidden className="size-3.5!" />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem onSelect={() => setAsked('rename')}>Rename</DropdownMenuItem>
          <DropdownMenuItem onSelect={() => void exportTable()}>Export active cells as CSV</DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setAsked('delete')}>Delete</DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {asked === 'rename' && (
        <NameForm
          label="Name of the annotation"
          initial={name}
          submit="Rename"
          onClose={() => setAsked(null)}
          onSubmit={(next) => action.mutate({ do: 'rename', of: annotation, name: next })}
        />
      )}
      <DeleteQuestion
        annotation={annotation}
        action={action}
        open={asked === 'delete'}
        onClose={() => setAsked(null)}
      />
    </>
  );
}

function DeleteButton({ annotation, action }: { annotation: Annotation; action: Action }) {
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
  action: Action;
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
      Its labels and its history are deleted. Images that were drawn of it stay.
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
    <Popover open onOpenChange={(open) => !open && onClose()}>
      <PopoverTrigger asChild>
        <span />
      </PopoverTrigger>
      <PopoverContent align="end">
        <form className="flex flex-col gap-2" onSubmit={send}>
          <Label htmlFor={id} className="text-[13px]">
            {label}
          </Label>
          <Input id={id} maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
          <Button type="submit" size="sm">
            {submit}
          </Button>
        </form>
      </PopoverContent>
    </Popover>
  );
}

interface NewAnnotationProps {
  filename: string;
  version: string;
  action: Action;
  onCreated: (annotation: Annotation) => void;
}

/** Begins an annotation from a column or without labels, or reads one from a table. */
function NewAnnotationButtons({ filename, version, action, onCreated }: NewAnnotationProps) {
  const table = useRef<HTMLInputElement>(null);
  const read = (file: File) =>
    action.mutate(
      { do: 'import', name: file.name.replace(/\.\w+$/, '').slice(0, 100) || 'Imported', file },
      {
        onSuccess: ({ annotation, match }) => {
          if (annotation) onCreated(annotation);
          if (match) toast.success('Labels Imported', { description: matchText(match) });
        },
      },
    );
  return (
    <div className="flex flex-wrap gap-2">
      <NewAnnotation filename={filename} version={version} action={action} onCreated={onCreated} />
      <Button
        variant="secondary"
        size="sm"
        disabled={action.isPending}
        title="A CSV or TSV file with a barcode and a label in each line"
        onClick={() => table.current?.click()}
      >
        Import table
      </Button>
      <input
        ref={table}
        type="file"
        hidden
        aria-label="Table of labels"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) read(file);
        }}
      />
    </div>
  );
}

function NewAnnotation({ filename, version, action, onCreated }: NewAnnotationProps) {
  const { api } = useServices();
  const id = useId();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [from, setFrom] = useState<string | undefined>();
  const columns = useQuery({ ...columnListQuery(api, { filename, version }), enabled: open }).data?.obs ?? [];
  const title = from === undefined ? undefined : columnTitle(from);
  const suggestion = title === undefined ? 'My labels' : `My ${title}`;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate(
      { do: 'create', name: name.trim() || suggestion, ...(from !== undefined && { from }) },
      {
        onSuccess: ({ annotation }) => {
          if (annotation) onCreated(annotation);
          setOpen(false);
          setName('');
        },
      },
    );
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="secondary" size="sm">
          <Plus aria-hidden />
          New annotation
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" className="w-72">
        <form className="flex flex-col gap-3" onSubmit={submit}>
          <div className="flex flex-col gap-1.5">
            <span className="text-[13px] font-medium">Begin with</span>
            <ColumnPicker
              label="Begin with"
              columns={columns}
              problemOf={noSplit}
              chosen={from}
              none="No labels"
              onChoose={setFrom}
            >
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Begin with: ${title ?? 'No labels'}`}
                className="w-full min-w-0 justify-between gap-1 font-normal"
              >
                <MiddleTruncated text={title ?? 'No labels'} />
                <ChevronDown aria-hidden className="text-muted size-3.5!" />
              </Button>
            </ColumnPicker>
          </div>
          <div className="flex flex-col gap-1.5">
            <Label htmlFor={id} className="text-[13px]">
              Name
            </Label>
            <Input
              id={id}
              maxLength={100}
              placeholder={suggestion}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </div>
          <Button type="submit" size="sm" disabled={action.isPending}>
            {action.isPending ? 'Creating...' : 'Create'}
          </Button>
        </form>
      </PopoverContent>
    </Popover>
  );
}
