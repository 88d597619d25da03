import type { MapColumnList } from '@cellfolio/contract';
import { fit, zoomAt } from '@cellfolio/map';
import {
  Blend,
  Hand,
  Lasso,
  Maximize,
  Redo2,
  SquareDashedMousePointer,
  Undo2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { Tooltip } from '@/components/ui/tooltip.tsx';
import { cn } from '@/lib/cn.ts';
import { tourAnchor } from '@/lib/tour-anchor.ts';
import type { ChosenEmbedding, MapStore, MapTool } from './map-store.ts';
import { useMapState } from './map-store.ts';
import { defaultEmbedding, embeddingTitle } from './embeddings.ts';

const tools: readonly { tool: MapTool; label: string; icon: ComponentType }[] = [
  { tool: 'pan', label: 'Move the maps', icon: Hand },
  { tool: 'lasso', label: 'Select with a lasso (Shift adds, Alt removes)', icon: Lasso },
  { tool: 'box', label: 'Select with a box (Shift adds, Alt removes)', icon: SquareDashedMousePointer },
];

const unit = { width: 1, height: 1 };
const pressed = 'bg-accent-soft text-accent-soft-foreground hover:bg-accent-soft';

interface MapToolbarProps {
  store: MapStore;
  list: MapColumnList | undefined;
  /** Whether cells can be selected; default true. */
  selects?: boolean;
}

export function MapToolbar({ store, list, selects = true }: MapToolbarProps) {
  const { camera, tool, density, past, future } = useMapState(store, (state) => state);
  const zoom = (factor: number) => store.set({ camera: zoomAt(camera, factor, { x: 0.5, y: 0.5 }, unit) });
  return (
    <div role="toolbar" aria-label="Maps" className="flex items-center gap-0.5">
      {selects && (
        <>
          {tools.map(({ tool: one, label, icon }) => (
            <ToolButton
              key={one}
              label={label}
              icon={icon}
              on={tool === one}
              onClick={() => store.set({ tool: one })}
              {...(one === 'lasso' && tourAnchor('lasso'))}
            />
          ))}
          <Separator />
        </>
      )}
      <ToolButton label="Zoom in" icon={ZoomIn} onClick={() => zoom(1.5)} />
      <ToolButton label="Zoom out" icon={ZoomOut} onClick={() => zoom(1 / 1.5)} />
      <ToolButton label="Show all cells" icon={Maximize} onClick={() => store.set({ camera: fit() })} />
      {selects && (
        <>
          <Separator />
          <ToolButton
            label="Undo the selection"
            icon={Undo2}
            disabled={past.length === 0}
            onClick={() => store.undo()}
          />
          <ToolButton
            label="Redo the selection"
            icon={Redo2}
            disabled={future.length === 0}
            onClick={() => store.redo()}
          />
        </>
      )}
      <Separator />
      <Tooltip label="Mean color of the cells in each pixel, stronger where there are more">
        <Button
          variant="ghost"
          size="xs"
          aria-pressed={density}
          className={cn('gap-1.5', density && pressed)}
          onClick={() => store.set({ density: !density })}
        >
          <Blend aria-hidden />
          Density
        </Button>
      </Tooltip>
      {list !== undefined && <EmbeddingSelect store={store} list={list} />}
    </div>
  );
}

function Separator() {
  return <span aria-hidden className="bg-border mx-1 h-4 w-px" />;
}

interface ToolButtonProps {
  label: string;
  icon: ComponentType;
  on?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

function ToolButton({ label, icon: Icon, on, disabled, onClick, ...props }: ToolButtonProps) {
  return (
    <Tooltip label={label}>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={label}
        aria-pressed={on}
        disabled={disabled}
        className={cn(on === true && pressed)}
        onClick={onClick}
        {...props}
      >
        <Icon />
      </Button>
    </Tooltip>
  );
}

const pairs = [
  [0, 1],
  [0, 2],
  [1, 2],
  [2, 3],
  [3, 4],
] as const;

function EmbeddingSelect({ store, list }: { store: MapStore; list: MapColumnList }) {
  const chosen = useMapState(store, (state) => state.embedding) ?? defaultEmbedding(list);
  const choices = list.embeddings.flatMap(({ name, dimensions }): ChosenEmbedding[] =>
    pairs.filter((axes) => Math.max(...axes) < dimensions).map((axes) => ({ name, axes })),
  );
  if (choices.length < 2 || chosen === undefined) return null;
  return (
    <Select
      value={keyOf(chosen)}
      onValueChange={(key) => store.setEmbedding(choices.find((choice) => keyOf(choice) === key) ?? null)}
    >
      <SelectTrigger data-size="sm" aria-label="Embedding" className="ml-1 h-7! w-auto max-w-40 text-xs!">
        <SelectValue />
      </SelectTrigger>
      <SelectContent>
        {choices.map((choice) => (
          <SelectItem key={keyOf(choice)} value={keyOf(choice)}>
            {embeddingTitle(choice, list)}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}

function keyOf({ name, axes }: ChosenEmbedding): string {
  return `${axes.join()} ${name}`;
}
