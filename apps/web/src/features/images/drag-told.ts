import type { Announcements } from '@dnd-kit/core';
import { imageName } from './image-name.ts';
import type { LibraryImage } from './library-image.ts';

export const dragInstructions =
  'To move the image, press Space or Enter, then the arrow keys, and Space or Enter again to put it down. Escape puts it back.';

/** What readers of the screen are told while a card of the viewer is moved. */
export function dragTold(images: readonly LibraryImage[]): Announcements {
  const name = (id: string | number) => {
    const image = images.find((other) => other.id === id);
    return image === undefined ? 'The image' : imageName(image);
  };
  const place = (id: string | number) =>
    `place ${images.findIndex((image) => image.id === id) + 1} of ${images.length}`;
  return {
    onDragStart: ({ active }) => `${name(active.id)} picked up, over ${place(active.id)}.`,
    // Also said at the start, over its own place, and then takes the place of what was said before.
    onDragOver: ({ active, over }) =>
      over === null ? undefined : `${name(active.id)} picked up, over ${place(over.id)}.`,
    onDragEnd: ({ active, over }) =>
      over === null
        ? `${name(active.id)} was put back.`
        : `${name(active.id)} was put down at ${place(over.id)}.`,
    onDragCancel: ({ active }) => `${name(active.id)} was put back to ${place(active.id)}.`,
  };
}
