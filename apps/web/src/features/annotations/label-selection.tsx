import type { FilterRequest } from '@cellfolio/contract';
import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useDocuments } from '@/features/documents/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { type AnnotationAtHand, annotationCalls, annotationsOf } from './annotation-calls.ts';

interface LabelSelectionProps {
  atHand: AnnotationAtHand;
  filename: string;
  version: string;
  cells: () => FilterRequest;
  count: number;
}

const anyGroup = '';

export function LabelSelection({ atHand, filename, version, cells, count }: LabelSelectionProps) {
  const [open, setOpen] = useState(false);
  const [group, setGroup] = useState('');
  const [part, setPart] = useState(anyGroup);
  const { list, create, run, isPending } = useDocuments(annotationsOf(filename), { enabled: open });
  const annotations = list.data?.annotations.filter((one) => one.version === version) ?? [];
  const current = annotations.find((one) => one.id === atHand.id) ?? annotations.at(-1);
  // A group of another annotation, or one that was renamed since, is no part of the cells.
  const within = current?.groups.some(({ name }) => name === part) === true ? part : anyGroup;
  const label = async (name: string | null) => {
    try {
      const of = current ?? (await create({ name: 'My labels' }));
      const change = {
        change: 'label' as const,
        cells: cells(),
        group: name,
        ...(within !== anyGroup && { within }),
      };
      const { history } = await run(annotationCalls.change(of, change));
      toast.success('Cells Labeled', {
        description: `${formatCount(history[0]?.cells ?? 0)} of ${plural(count, 'selected cell')} changed in ${of.name}.`,
      });
      setOpen(false);
      setGroup('');
    } catch {
      // Its toast says so.
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (group.trim() !== '') void label(group.trim());
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="secondary" size="xs">
          Label
        </Button>
      </PopoverTrigger>
      <PopoverContent side="top" align="end" className="w-72">
        <form className="flex flex-col gap-3" onSubmit={submit}>
          {annotations.length > 1 && (
            <Choice
              label="Annotation"
              value={current!.id}
              options={annotations.map((one) => [one.id, one.name])}
              onChoose={atHand.choose}
            />
          )}
          <GroupField groups={current?.groups ?? []} value={group} onChange={setGroup} />
          {current !== undefined && current.groups.length > 0 && (
            <Choice
              label="Of the selected cells"
              value={within === anyGroup ? 'all' : `of:${within}`}
              options={[
                ['all', 'all'],
                ...current.groups.map(({ name }) => [`of:${name}`, `only those in ${name}`] as const),
              ]}
              onChoose={(value) => setPart(value === 'all' ? anyGroup : value.slice('of:'.length))}
            />
          )}
          <p className="text-muted text-xs">
            {current === undefined ? 'Starts the annotation “My labels”.' : `In ${current.name}.`} Undo it
            under Annotations.
          </p>
          <div className="flex gap-2">
            <Button type="submit" size="sm" className="flex-1" disabled={isPending || group.trim() === ''}>
              {isPending ? 'Labeling...' : 'Label cells'}
            </Button>
            {current !== undefined && current.groups.length > 0 && (
              <Button variant="secondary" size="sm" disabled={isPending} onClick={() => void label(null)}>
                Remove labels
              </Button>
            )}
          </div>
        </form>
      </PopoverContent>
    </Popover>
  );
}

interface GroupFieldProps {
  groups: readonly { name: string }[];
  value: string;
  onChange: (value: string) => void;
}

function GroupField({ groups, value, onChange }: GroupFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <Label htmlFor={id} className="text-[13px]">
        Group
      </Label>
      <Input
        id={id}
        list={`${id}-groups`}
        maxLength={200}
        placeholder="New or existing group"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={`${id}-groups`}>
        {groups.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-[13px] font-medium">{label}</span>
      <Select value={value} onValueChange={onChoose}>
        <SelectTrigger aria-label={label} data-size="sm">
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          {options.map(([option, text]) => (
            <SelectItem key={option} value={option}>
              {text}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </div>
  );
}
