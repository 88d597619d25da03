import type { Announcements, DragEndEvent } from '@dnd-kit/core';
import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import type { SortingStrategy } from '@dnd-kit/sortable';
import { SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import type { ReactNode } from 'react';

interface SortableProps {
  id: string;
  /** Noun of an item, as in “To move the image”. */
  noun: string;
  items: readonly { id: string; name: string }[];
  strategy: SortingStrategy;
  onMove: (from: number, to: number) => void;
  children: ReactNode;
}

export function Sortable({ id, noun, items, strategy, onMove, children }: SortableProps) {
  const sensors = useSensors(
    // A click with a small movement is still a click.
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A finger that scrolls is not dragging.
    useSensor(TouchSensor, { activationConstraint: { delay: 200, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const place = (of: string | number) => items.findIndex((item) => item.id === of);
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over !== null && active.id !== over.id) onMove(place(active.id), place(over.id));
  };
  const draggable = `To move the ${noun}, press Space or Enter, then the arrow keys, and Space or Enter again to put it down. Escape puts it back.`;
  return (
    <DndContext
      id={id}
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        announcements: announcements(
          (of) => items[place(of)]?.name ?? `The ${noun}`,
          (of) => `place ${place(of) + 1} of ${items.length}`,
        ),
        screenReaderInstructions: { draggable },
      }}
      onDragEnd={onDragEnd}
    >
      <SortableContext items={items.map((item) => item.id)} strategy={strategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

function announcements(
  name: (id: string | number) => string,
  place: (id: string | number) => string,
): Announcements {
  return {
    // Told by `onDragOver`, over its own place, when the places are measured: keys pressed before then are lost.
    onDragStart: () => undefined,
    onDragOver: ({ active, over }) =>
      over === null ? undefined : `${name(active.id)} picked up, over ${place(over.id)}.`,
    onDragEnd: ({ active, over }) =>
      over === null
        ? `${name(active.id)} was put back.`
        : `${name(active.id)} was put down at ${place(over.id)}.`,
    onDragCancel: ({ active }) => `${name(active.id)} was put back to ${place(active.id)}.`,
  };
}
