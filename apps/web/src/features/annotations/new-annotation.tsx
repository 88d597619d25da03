import type { Annotation } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { FileButton } from '@/components/file-button.tsx';
import { NamePopover } from '@/components/name-popover.tsx';
import { Button } from '@/components/ui/button.tsx';
import { ColumnField, columnListQuery, titleIn } from '@/features/map/index.ts';
import { freeName } from '@/lib/free-name.ts';
import { useServices } from '@/lib/services.ts';
import { type AnnotationActions, annotationsQuery } from './annotation-calls.ts';
import { sayMatch } from './match-text.ts';

interface NewAnnotationProps {
  filename: string;
  version: string;
  action: AnnotationActions;
  onCreated: (annotation: Annotation) => void;
}

const maxName = 100;

export function NewAnnotationButtons({ filename, version, action, onCreated }: NewAnnotationProps) {
  const { api } = useServices();
  const columns = useQuery(columnListQuery(api, { filename, version })).data?.obs ?? [];
  const list = useQuery(annotationsQuery(api, filename)).data;
  const usedNames = new Set(
    [...columns, ...(list?.annotations ?? []), ...(list?.numbers ?? [])].map(({ name }) => name),
  );
  const read = (file: File) =>
    action.mutate(
      {
        do: 'import',
        name: freeName(file.name.replace(/\.\w+$/, '') || 'Imported', usedNames, maxName),
        file,
      },
      {
        onSuccess: ({ annotation, match }) => {
          if (annotation) onCreated(annotation);
          if (match) sayMatch('Labels Imported', match);
        },
      },
    );
  return (
    <div className="flex flex-wrap gap-2">
      <NewAnnotation filename={filename} version={version} action={action} onCreated={onCreated} />
      <FileButton
        fileLabel="Table of labels"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        variant="secondary"
        size="sm"
        disabled={action.isPending}
        title="A CSV or TSV file with a barcode and a label per line"
        onFiles={([file]) => read(file)}
      >
        Import table
      </FileButton>
    </div>
  );
}

function NewAnnotation({ filename, version, action, onCreated }: NewAnnotationProps) {
  const { api } = useServices();
  const [from, setFrom] = useState<string | undefined>();
  const columns = useQuery(columnListQuery(api, { filename, version })).data?.obs ?? [];
  const title = from === undefined ? undefined : titleIn(columns, from);
  return (
    <NamePopover
      trigger={
        <Button variant="secondary" size="sm">
          <Plus aria-hidden />
          New annotation
        </Button>
      }
      label="Name"
      suggestion={title === undefined ? 'My labels' : `My ${title}`.slice(0, maxName)}
      action={['Create', 'Creating...']}
      isBusy={action.isPending}
      align="start"
      onName={(name, done) =>
        action.mutate(
          { do: 'create', name, ...(from !== undefined && { from }) },
          {
            onSuccess: ({ annotation }) => {
              if (annotation) onCreated(annotation);
              done();
            },
          },
        )
      }
    >
      <ColumnField
        label="Start from"
        columns={columns}
        chosen={from ?? ''}
        none="No labels"
        onChoose={(column) => setFrom(column === '' ? undefined : column)}
      />
    </NamePopover>
  );
}
