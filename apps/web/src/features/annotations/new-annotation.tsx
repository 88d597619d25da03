import type { Annotation } from '@cellfolio/contract';
import { columnTitle } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Plus } from 'lucide-react';
import type { FormEvent } from 'react';
import { useId, useRef, useState } from 'react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { toast } from '@/components/ui/toast.ts';
import { ColumnPicker, columnListQuery, noGroups } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import type { AnnotationActions } from './annotation-calls.ts';
import { matchText } from './match-text.ts';

interface NewAnnotationProps {
  filename: string;
  version: string;
  action: AnnotationActions;
  onCreated: (annotation: Annotation) => void;
}

/** Begins an annotation from a column or without labels, or reads one from a table. */
export function NewAnnotationButtons({ filename, version, action, onCreated }: NewAnnotationProps) {
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
              problemOf={noGroups}
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
