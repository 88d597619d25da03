import type { AnnotationChange } from '@cellfolio/contract';
import { Layers } from 'lucide-react';
import { useState } from 'react';
import { FailureNotice } from '@/components/call-failure.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { annotationCalls, annotationsOf, useAnnotations } from '@/features/annotations/index.ts';
import { useDocuments } from '@/features/documents/index.ts';
import { draftOfCells, filterPayload, freeName } from '@/features/subsets/index.ts';
import { plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { cellsOf, type ChosenSet, setColours } from './chosen-sets.ts';
import { type Combination, combinationWords } from './set-words.ts';

const notGrouped = 'sets-not-grouped';

interface GroupBySetsProps {
  dataset: { filename: string; version: string };
  sets: readonly ChosenSet[];
  /** Combinations with cells in any of the sets. */
  combinations: readonly Combination[];
}

/** Each group is labelled by a separate call. */
const maxGroups = 20;
const [maxName, maxGroupName] = [90, 200];

export function GroupBySets({ dataset, sets, combinations }: GroupBySetsProps) {
  const { filename, version } = dataset;
  const { api } = useServices();
  const { create, run } = useDocuments(annotationsOf(filename), { enabled: false });
  const usedNames = new Set(useAnnotations(filename, version).map(({ name }) => name));
  const [working, setWorking] = useState(false);
  const names = sets.map(({ name }) => name);
  const make = async () => {
    setWorking(true);
    try {
      const name = freeName(cut(names.join(' | '), maxName), usedNames);
      const changes: AnnotationChange[] = [];
      for (const inside of combinations) {
        const group = cut(
          inside.length === 1 ? names[inside[0]!]! : combinationWords(names, inside),
          maxGroupName,
        );
        const { cells, count } = await cellsOf(api, sets, [inside]);
        const draft = draftOfCells(group, { ...cells, count });
        changes.push({ change: 'label', cells: filterPayload(group, draft.config), group });
        if (inside.length > 1) continue;
        changes.push({ change: 'colour', group, colour: setColours[inside[0]!]! });
      }
      let of = await create({ name }, { followed: true });
      for (const [at, change] of changes.entries()) {
        of = await run(annotationCalls.change(of, change), { followed: at < changes.length - 1 });
      }
      toast.dismiss(notGrouped);
      toast.success('Groups Created', {
        description: `${name}: ${plural(of.groups.length, 'group')}. Use it to group, split, color or filter cells; it is saved in your annotations.`,
      });
    } catch (error) {
      console.warn('The sets were not made groups.', error);
      toast.error('Error', {
        id: notGrouped,
        description: (
          <FailureNotice text="Only some sets became groups. See Annotations for them." error={error} />
        ),
      });
    } finally {
      setWorking(false);
    }
  };
  const isMany = combinations.length > maxGroups;
  return (
    <div className="flex flex-col gap-1">
      <Button
        variant="secondary"
        size="sm"
        className="self-start"
        disabled={working || isMany || combinations.length === 0}
        onClick={() => void make()}
      >
        <Layers aria-hidden />
        {working ? 'Creating groups...' : 'Use the sets as groups'}
      </Button>
      <p className="text-muted text-xs">
        {isMany
          ? `The sets form ${combinations.length} groups; at most ${maxGroups} can be created.`
          : 'Figures and analyses can then be grouped or split by them. Cells in several sets form a separate group.'}
      </p>
    </div>
  );
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 3)}...` : text;
}
