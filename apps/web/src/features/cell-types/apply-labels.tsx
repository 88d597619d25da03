import type { FigureSource, GroupTerm } from '@cellfolio/contract';
import { useContext, useId, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { toast } from '@/components/ui/toast.ts';
import { annotationCalls, annotationsOf, useAnnotations } from '@/features/annotations/index.ts';
import { useDocuments } from '@/features/documents/index.ts';
import { defaultCard, MapStoresContext } from '@/features/map/index.ts';
import { plural } from '@/lib/format.ts';

interface ApplyLabelsProps {
  /** `name` if it is not the open dataset. */
  dataset: { filename: string; version: string; name?: string };
  column: string;
  /** The subclustering of the dataset that has the column; absent for the dataset itself. */
  part?: string;
  /** Column that a new annotation begins with; empty for none. */
  from?: string;
  suggestion: string;
  subset: FigureSource['subset'];
  groups: readonly { of: string; group: string; term?: GroupTerm }[];
  onApplied: () => void;
  /** Opens the dataset, coloured by the annotation. */
  onOpen?: (annotation: string) => void;
}

const newAnnotation = 'new';

export function ApplyLabels({
  dataset,
  column,
  part,
  from = '',
  suggestion,
  subset,
  groups,
  onApplied,
  onOpen,
}: ApplyLabelsProps) {
  const { filename, version, name: datasetName } = dataset;
  const annotations = useAnnotations(filename, version);
  const { create, run, isPending } = useDocuments(annotationsOf(filename), { enabled: false });
  const maps = useContext(MapStoresContext)?.(filename);
  const [target, setTarget] = useState(newAnnotation);
  const [name, setName] = useState('');
  const current = annotations.find((one) => one.id === target);
  const apply = async () => {
    try {
      const of =
        current ??
        (await create({ name: name.trim() || suggestion, ...(from !== '' && { from }) }, { followed: true }));
      setTarget(of.id);
      const change = {
        change: 'assign' as const,
        column,
        ...(part !== undefined && { part }),
        groups: [...groups],
        ...(subset && { cells: subset }),
      };
      const { history } = await run(annotationCalls.change(of, change));
      // Who labels cells wants to see them.
      maps?.setLook(defaultCard, {
        content: { kind: 'obs-umap', column: of.name },
        hidden: undefined,
        range: undefined,
        log: undefined,
      });
      toast.success('Labels Applied', {
        description: [
          `${plural(history[0]?.cells ?? 0, 'cell')} changed in ${of.name}${datasetName === undefined ? '' : ` of ${datasetName}`}.`,
          ...(maps === undefined ? [] : ['The map is now colored by it.']),
          'Undo it under Annotations.',
        ].join(' '),
        // Until it is closed: it leads to the labels.
        ...(onOpen && {
          duration: Number.POSITIVE_INFINITY,
          action: { label: 'Open', onClick: () => onOpen(of.name) },
        }),
      });
      onApplied();
    } catch {
      // Its toast says so.
    }
  };
  return (
    <form
      className="flex flex-1 flex-wrap items-end gap-3"
      aria-label="Apply to annotation"
      onSubmit={(event) => {
        event.preventDefault();
        void apply();
      }}
    >
      <p role="status" className="text-muted flex-1 pb-1.5 text-[13px] tabular-nums">
        {groups.length === 0
          ? 'Choose groups to label their cells.'
          : `${plural(groups.length, 'group')} chosen`}
      </p>
      <Select value={current === undefined ? newAnnotation : target} onValueChange={setTarget}>
        <SelectTrigger data-size="sm" className="w-48" aria-label="Annotation to apply to">
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value={newAnnotation}>A new annotation</SelectItem>
          {annotations.map((one) => (
            <SelectItem key={one.id} value={one.id}>
              {one.name}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      {current === undefined && <NameField suggestion={suggestion} name={name} onName={setName} />}
      <Button type="submit" size="sm" className="ml-auto" disabled={groups.length === 0 || isPending}>
        {isPending ? 'Applying...' : 'Apply to annotation'}
      </Button>
    </form>
  );
}

interface NameFieldProps {
  suggestion: string;
  name: string;
  onName: (name: string) => void;
}

function NameField({ suggestion, name, onName }: NameFieldProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <Label htmlFor={id} className="text-[13px]">
        Name
      </Label>
      <Input
        id={id}
        className="h-8 w-56 text-[13px]"
        maxLength={100}
        placeholder={suggestion}
        value={name}
        onChange={(event) => onName(event.target.value)}
      />
    </div>
  );
}
