import type { FigureSource } from '@cellfolio/contract';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Input } from '@/components/ui/form.tsx';
import { ApplyLabels } from './apply-labels.tsx';

/** A group with its suggested type; null for none. */
interface SuggestedGroup {
  readonly group: string;
  readonly suggestion: string | null;
}

export function useGroupLabels(suggestions: readonly SuggestedGroup[]) {
  const [labels, setLabels] = useState<ReadonlyMap<string, string>>(
    () => new Map(suggestions.map(({ group, suggestion }) => [group, suggestion ?? ''])),
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const labelOf = (group: string) => labels.get(group) ?? '';
  const hasLabel = (group: string) => labelOf(group).trim() !== '';
  const choose = (group: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(group);
    else next.delete(group);
    setChosen(next);
  };
  return {
    labelOf,
    isChosen: (group: string) => chosen.has(group),
    choose,
    setLabel: (group: string, label: string) => {
      setLabels(new Map(labels).set(group, label));
      choose(group, label.trim() !== '');
    },
    hasSuggested: suggestions.some(({ suggestion }) => suggestion !== null),
    chooseSuggested: () =>
      setChosen(
        new Set(
          suggestions.flatMap(({ group, suggestion }) =>
            suggestion !== null && hasLabel(group) ? [group] : [],
          ),
        ),
      ),
    chooseNone: () => setChosen(new Set()),
    labelled: suggestions.flatMap(({ group }) =>
      chosen.has(group) && hasLabel(group) ? [{ of: group, group: labelOf(group).trim() }] : [],
    ),
  };
}

export type GroupLabels = ReturnType<typeof useGroupLabels>;

interface GroupLabelProps {
  labels: GroupLabels;
  group: string;
  called: string;
}

export function GroupCheckbox({ labels, group, called }: GroupLabelProps) {
  return (
    <Checkbox
      aria-label={`Apply the label of ${called}`}
      checked={labels.isChosen(group)}
      disabled={labels.labelOf(group).trim() === ''}
      onCheckedChange={(on) => labels.choose(group, on === true)}
    />
  );
}

export function GroupLabelInput({ labels, group, called }: GroupLabelProps) {
  return (
    <Input
      aria-label={`Label of ${called}`}
      className="h-8 w-48 text-[13px]"
      maxLength={200}
      placeholder="No label"
      value={labels.labelOf(group)}
      onChange={(event) => labels.setLabel(group, event.target.value)}
    />
  );
}

interface ApplyBarProps {
  labels: GroupLabels;
  dataset: { readonly filename: string; readonly version: string };
  column: string;
  title: string;
  subset: FigureSource['subset'];
}

export function ApplyBar({ labels, dataset, column, title, subset }: ApplyBarProps) {
  return (
    <div className="bg-surface-2 sticky bottom-0 z-10 flex flex-wrap items-end gap-3 rounded-md p-2">
      {labels.hasSuggested && (
        <Button variant="secondary" size="sm" onClick={labels.chooseSuggested}>
          Choose all suggested
        </Button>
      )}
      <ApplyLabels
        dataset={dataset}
        column={column}
        suggestion={`Cell types of ${title}`}
        subset={subset}
        groups={labels.labelled}
        onApplied={labels.chooseNone}
      />
    </div>
  );
}
