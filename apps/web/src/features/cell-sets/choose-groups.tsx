import type { MapColumnList } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { CheckList } from '@/components/check-list.tsx';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { ColumnPicker, columnListQuery, groupsColumn, noGroups, valuesQuery } from '@/features/map/index.ts';
import { type CategoryNames, namesText, useCategoryNames } from '@/features/category-displays/index.ts';
import { useServices } from '@/lib/services.ts';

interface ChooseGroupsProps {
  dataset: { filename: string; version: string };
  max: number;
  action: string;
  onChoose: (column: MapColumnList['obs'][number], values: readonly string[], names: CategoryNames) => void;
}

export function ChooseGroups({ dataset, max, action, onChoose }: ChooseGroupsProps) {
  const { api } = useServices();
  const names = useCategoryNames(dataset.filename);
  const [chosen, setChosen] = useState<string | undefined>();
  const [checked, setChecked] = useState<readonly string[]>([]);
  const list = useQuery(columnListQuery(api, dataset)).data?.obs ?? [];
  const column = list.find(({ name }) => name === chosen) ?? groupsColumn(list);
  const source = column && ({ from: 'obs', name: column.name } as const);
  const values = useQuery({
    ...valuesQuery(api, dataset, source, undefined),
    enabled: source !== undefined,
  }).data;
  const groups = values?.kind === 'categories' ? values.categories : undefined;
  return (
    <>
      <ColumnPicker
        label="Column"
        columns={list}
        problemOf={noGroups}
        chosen={column?.name}
        onChoose={(name) => {
          setChosen(name);
          setChecked([]);
        }}
      >
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Column: ${column?.title ?? 'none'}`}
          className="w-full min-w-0 justify-between gap-1 font-normal"
        >
          <MiddleTruncated text={column?.title ?? 'Choose a column'} />
          <ChevronDown aria-hidden className="text-muted size-3.5!" />
        </Button>
      </ColumnPicker>
      {column !== undefined && groups === undefined && <Skeleton className="h-24" />}
      {column !== undefined && groups !== undefined && (
        <CheckList
          legend={`Groups of ${column.title}`}
          items={groups.map((value) => {
            const label = names.ofColumn(column.name, value);
            return { value, label, title: namesText(label, value) };
          })}
          checked={checked}
          onChange={setChecked}
        />
      )}
      {checked.length > max && (
        <p className="text-muted text-xs">
          Choose at most {max} more; {checked.length} are chosen.
        </p>
      )}
      <Button
        size="sm"
        disabled={checked.length === 0 || checked.length > max}
        onClick={() => {
          onChoose(column!, checked, names);
          setChecked([]);
        }}
      >
        {action}
      </Button>
    </>
  );
}
