import type { MapColumnList } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { Palette } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { CategoryDisplayDialog } from '@/features/category-displays/index.ts';
import { ColumnPicker, columnListQuery, noGroups } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';

type ObsColumn = MapColumnList['obs'][number];

export function ColumnDisplay({ filename, version }: { filename: string; version: string }) {
  const { api } = useServices();
  const columns = useQuery(columnListQuery(api, { filename, version })).data?.obs ?? [];
  const [column, setColumn] = useState<ObsColumn>();
  return (
    <>
      <ColumnPicker
        label="Column to customise"
        columns={columns}
        problemOf={noDisplay}
        chosen={undefined}
        onChoose={(chosen) => setColumn(columns.find(({ name }) => name === chosen))}
      >
        <Button variant="secondary" size="sm" title="Order, colours and names of the groups of a column">
          <Palette aria-hidden />
          Order, colours and names…
        </Button>
      </ColumnPicker>
      <CategoryDisplayDialog filename={filename} column={column} onClose={() => setColumn(undefined)} />
    </>
  );
}

function noDisplay(column: ObsColumn): string | undefined {
  return column.own === true ? 'change it above' : noGroups(column);
}
