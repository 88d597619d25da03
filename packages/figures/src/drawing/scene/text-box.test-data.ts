import { textWidth } from '../text/text-width.ts';
import type { Rectangle, TextMark } from './scene.ts';

export function box(mark: TextMark): Rectangle {
  const width = textWidth(mark.text, mark.size, mark.style);
  const height = mark.size * 0.73;
  const before = mark.anchor === 'start' ? 0 : mark.anchor === 'middle' ? width / 2 : width;
  return mark.upright === true
    ? { x: mark.x - height, y: mark.y + before - width, width: height, height: width }
    : { x: mark.x - before, y: mark.y - height, width, height };
}

export function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
