import type { FigureSource } from '@cellfolio/contract';
import { groupsKey } from '@cellfolio/figures/content';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useId } from 'react';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { Switch } from '@/components/ui/switch.tsx';
import { useServices } from '@/lib/services.ts';
import { useStored } from '@/lib/use-stored.ts';
import { figureGroups, type FigureGroup } from './figure-groups.ts';
import { imageName } from './image-name.ts';
import type { LibraryImage } from './library-image.ts';

const key = 'cellfolio:same-order';

type OrderBy = 'as' | 'by';

interface CommonOrder {
  offered: boolean;
  on: boolean;
  turn: (on: boolean) => void;
  options: readonly { value: string; label: string }[];
  chosen: string;
  choose: (value: string) => void;
  /** Why there is no common order; empty if there is one. */
  problem: string;
  of: (source: FigureSource | null | undefined) => OrderOfImage | undefined;
}

interface OrderOfImage {
  /** Labels of groups; absent while unknown. */
  order?: readonly string[];
  pending?: boolean;
}

export const CommonOrderContext = createContext<CommonOrder['of']>(() => undefined);

/** The order that an image of the viewer is drawn with; undefined for its own. */
export function useCommonOrder(source: FigureSource | null | undefined): OrderOfImage | undefined {
  return useContext(CommonOrderContext)(source);
}

export function useCommonOrderOf(images: readonly LibraryImage[]): CommonOrder {
  const { api } = useServices();
  const [stored, keep] = useStored(key, (text) => text ?? '');
  const [, state, storedValue] = /^(on|off) (.*)$/s.exec(stored) ?? [];
  const on = state === 'on';
  const grouped = images.flatMap((image) => {
    const { source, missing } = image;
    const groupKey = source && missing === undefined ? groupsKey(source.content) : undefined;
    return source && groupKey !== undefined
      ? [{ image, source, groups: `${source.dataset_filename} ${groupKey}` }]
      : [];
  });
  const comparable = grouped.filter(
    ({ groups }) => grouped.filter((other) => other.groups === groups).length > 1,
  );
  const options = comparable.flatMap(({ image }) =>
    (['as', 'by'] as const).map((how) => ({ value: `${how}:${image.id}`, label: labelOf(how, image) })),
  );
  // An image that is not shown any more leaves the first of those that are.
  const chosen = options.find(({ value }) => value === storedValue)?.value ?? options[0]?.value ?? '';
  const [how, id] = [chosen.slice(0, 2) as OrderBy, chosen.slice(3)];
  const leading = comparable.find(({ image }) => image.id === id);
  const groups = useQuery({
    queryKey: ['figure-groups', leading?.source],
    queryFn: ({ signal }) => figureGroups(api, leading!.source, signal),
    enabled: on && leading !== undefined,
    staleTime: Infinity,
  });
  const order = groups.data && orderOf(groups.data, how);
  return {
    offered: comparable.length > 0,
    on,
    turn: (next) => keep(`${next ? 'on' : 'off'} ${chosen}`),
    options,
    chosen,
    choose: (value) => keep(`on ${value}`),
    problem:
      on && groups.isError
        ? 'The groups of this image could not be read: each image keeps its own order.'
        : '',
    of: (source) => {
      if (!on || !source || leading === undefined) return undefined;
      const own = comparable.find((other) => other.source === source);
      const sharesOrder = own?.groups === leading.groups && !(how === 'as' && own === leading);
      if (!sharesOrder) return undefined;
      if (groups.isPending) return { pending: true };
      return order && { order };
    },
  };
}

const maxLabels = 500;

function orderOf(groups: readonly FigureGroup[], how: OrderBy): string[] {
  const sorted = how === 'as' ? groups : groups.toSorted((a, b) => b.value - a.value);
  return sorted.slice(0, maxLabels).map(({ label }) => label);
}

function labelOf(how: OrderBy, image: LibraryImage): string {
  return how === 'as' ? `as in ${imageName(image)}` : `by ${imageName(image)}, highest first`;
}

export function CommonOrderSwitch({ order }: { order: CommonOrder }) {
  const id = useId();
  return (
    <div className="flex min-h-5 min-w-0 shrink-0 items-center gap-2 text-xs">
      <Switch id={id} checked={order.on} onCheckedChange={order.turn} />
      <label htmlFor={id} className="shrink-0 font-medium">
        Same order
      </label>
      {order.on && order.problem === '' && (
        <Select value={order.chosen} onValueChange={order.choose}>
          <SelectTrigger
            aria-label="Order of the groups"
            data-size="sm"
            className="h-6! w-auto max-w-64 border-none px-1! text-xs!"
          >
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {order.options.map(({ value, label }) => (
              <SelectItem key={value} value={value}>
                {label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
      <p className="text-muted min-w-0" aria-live="polite">
        {order.problem}
      </p>
    </div>
  );
}
