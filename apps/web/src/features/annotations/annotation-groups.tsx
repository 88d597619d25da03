import type { Annotation, AnnotationChange } from '@cellfolio/contract';
import { verticalListSortingStrategy } from '@dnd-kit/sortable';
import { X } from 'lucide-react';
import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { SortableRow } from '@/components/sortable-row.tsx';
import { Sortable } from '@/components/sortable.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { formatCount } from '@/lib/format.ts';
import { GroupTerm } from './group-term.tsx';

interface AnnotationGroupsProps {
  annotation: Annotation;
  busy: boolean;
  onChange: (change: AnnotationChange) => void;
}

export function AnnotationGroups({ annotation: { groups }, busy, onChange }: AnnotationGroupsProps) {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [order, setOrder] = useState<readonly string[] | null>(null);
  // As it was put down, until the answer is there.
  const shown =
    busy && order ? order.flatMap((name) => groups.find((one) => one.name === name) ?? []) : groups;
  const chosen = groups.filter(({ name }) => checked.has(name)).map(({ name }) => name);
  const move = (at: number, to: number) => {
    const names = groups.map(({ name }) => name);
    names.splice(to, 0, ...names.splice(at, 1));
    setOrder(names);
    onChange({ change: 'order', groups: names });
  };
  const check = (name: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(name);
    else next.delete(name);
    setChecked(next);
  };
  return (
    <div className="flex flex-col gap-2">
      <Sortable
        id="annotation-groups"
        noun="group"
        items={shown.map(({ name }) => ({ id: name, name }))}
        strategy={verticalListSortingStrategy}
        onMove={move}
      >
        <ul aria-label="Groups" className="max-h-80 overflow-y-auto rounded-md border">
          {shown.map((group) => (
            <GroupRow
              key={group.name}
              group={group}
              busy={busy}
              checked={checked.has(group.name)}
              onCheck={(on) => check(group.name, on)}
              onChange={onChange}
            />
          ))}
        </ul>
      </Sortable>
      {chosen.length >= 2 && (
        <Merge
          key={chosen.join('\n')}
          groups={chosen}
          busy={busy}
          onMerge={(name) => {
            onChange({ change: 'merge', groups: chosen, name });
            setChecked(new Set());
          }}
        />
      )}
    </div>
  );
}

interface GroupRowProps {
  group: Annotation['groups'][number];
  busy: boolean;
  checked: boolean;
  onCheck: (on: boolean) => void;
  onChange: (change: AnnotationChange) => void;
}

function GroupRow({ group: { name, colour, cells, term }, busy, checked, onCheck, onChange }: GroupRowProps) {
  return (
    <SortableRow id={name} name={name} noun="group" busy={busy}>
      <Checkbox
        aria-label={`Choose ${name}`}
        checked={checked}
        onCheckedChange={(on) => onCheck(on === true)}
      />
      <Colour
        name={name}
        colour={colour}
        busy={busy}
        onChoose={(next) => onChange({ change: 'colour', group: name, colour: next })}
      />
      <GroupName
        name={name}
        busy={busy}
        onRename={(next) => onChange({ change: 'rename', group: name, name: next })}
      />
      <span className="text-muted shrink-0 text-xs tabular-nums">{formatCount(cells)}</span>
      <GroupTerm
        group={name}
        term={term}
        busy={busy}
        onChoose={(next) => onChange({ change: 'term', group: name, term: next })}
      />
      <Button
        variant="ghost"
        size="icon-sm"
        className="size-6 shrink-0"
        aria-label={`Remove ${name}; its cells lose their label`}
        title="Remove; its cells lose their label"
        disabled={busy}
        onClick={() => onChange({ change: 'remove', group: name })}
      >
        <X aria-hidden className="size-3.5!" />
      </Button>
    </SortableRow>
  );
}

/** Draft of a value until an action has ended; a refused action restores the value. */
function useDraftOf(value: string, busy: boolean) {
  const [draft, setDraft] = useState(value);
  const [before, setBefore] = useState({ value, busy });
  if (before.value !== value || before.busy !== busy) {
    setBefore({ value, busy });
    if (before.value !== value || !busy) setDraft(value);
  }
  return [draft, setDraft] as const;
}

function Colour(props: { name: string; colour: string; busy: boolean; onChoose: (colour: string) => void }) {
  const { name, colour, busy, onChoose } = props;
  const [chosen, setChosen] = useDraftOf(colour, busy);
  return (
    <input
      type="color"
      aria-label={`Color of ${name}`}
      title={`Color of ${name}`}
      value={chosen}
      disabled={busy}
      onChange={(event) => setChosen(event.target.value)}
      // The picker tells every colour on its way; the last one counts.
      onBlur={() => chosen !== colour && onChoose(chosen)}
      className="size-5 shrink-0 cursor-pointer rounded border-0 bg-transparent p-0"
    />
  );
}

function GroupName(props: { name: string; busy: boolean; onRename: (name: string) => void }) {
  const { name, busy, onRename } = props;
  const [text, setText] = useDraftOf(name, busy);
  const rename = () => {
    const next = text.trim();
    if (next === '' || next === name) setText(name);
    else onRename(next);
  };
  return (
    <Input
      aria-label={`Name of ${name}`}
      value={text}
      maxLength={200}
      disabled={busy}
      onChange={(event) => setText(event.target.value)}
      onBlur={rename}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setText(name);
      }}
      className="hover:border-input focus:border-input h-7 min-w-0 flex-1 border-transparent px-1.5 text-[13px]"
    />
  );
}

function Merge(props: { groups: readonly string[]; busy: boolean; onMerge: (name: string) => void }) {
  const { groups, busy, onMerge } = props;
  const id = useId();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onMerge(name.trim() || groups[0]!);
  };
  return (
    <form className="flex items-end gap-2" onSubmit={submit}>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <Label htmlFor={id} className="text-xs">
          Merge {groups.length} groups into
        </Label>
        <Input
          id={id}
          className="h-8 text-[13px]"
          maxLength={200}
          placeholder={groups[0]}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <Button type="submit" size="sm" disabled={busy}>
        Merge
      </Button>
    </form>
  );
}
