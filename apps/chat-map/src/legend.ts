import type { MapFigure } from '@cellfolio/contract';
import type { LegendEntry } from './map-colors.ts';
import { byId, countText } from './page.ts';

/** Shows groups, which a click hides or shows again, or a range of colors. Names are text, never markup. */
export function showLegend(
  figure: MapFigure,
  entries: readonly LegendEntry[],
  { hidden, onToggle }: { hidden: ReadonlySet<number>; onToggle: (slot: number) => void },
): void {
  const items = entries.map((entry) => {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.ariaPressed = String(!hidden.has(entry.slot));
    button.title = entry.label;
    button.append(dotOf(entry.colour), textOf('span', entry.label), textOf('small', countText(entry.cells)));
    button.addEventListener('click', () => onToggle(entry.slot));
    item.append(button);
    return item;
  });
  byId('legend').replaceChildren(...('domain' in figure ? rangeItems(figure) : items));
}

function rangeItems({ domain, unit, colours }: Extract<MapFigure, { domain: unknown }>): HTMLElement[] {
  const bar = document.createElement('li');
  bar.className = 'ramp';
  bar.style.background = `linear-gradient(to right, ${colours.ramp.join()})`;
  const ends = document.createElement('li');
  ends.className = 'ends';
  ends.append(textOf('span', valueText(domain.low)), textOf('span', valueText(domain.high)));
  return [textOf('li', unit), bar, ends];
}

export const valueText = (value: number): string => Number(value.toPrecision(3)).toLocaleString('en');

function dotOf(color: string): HTMLElement {
  const dot = document.createElement('i');
  dot.style.background = color;
  return dot;
}

function textOf(tag: 'span' | 'small' | 'li', text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
