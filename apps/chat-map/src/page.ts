/** The element of map.html with an id. */
export function byId<Kind extends Element = HTMLElement>(id: string): Kind {
  return document.querySelector<Kind>(`#${id}`)!;
}

/** A color of CSS as three bytes, in whatever notation a host has it. */
export function bytesOfColor(color: string): [number, number, number] {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d')!;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 255, green = 255, blue = 255] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

export const countText = (count: number): string => count.toLocaleString('en');
