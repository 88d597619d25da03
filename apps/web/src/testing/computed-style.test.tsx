import { beforeEach, expect, test } from 'vitest';

const properties = ['display', 'visibility', 'pointer-events', 'opacity', 'animation-name'];

beforeEach(() => {
  document.body.innerHTML = '';
});

const tags =
  'div span button input option li table tr td dialog details summary script slot datalist embed'.split(' ');
const attributes = [
  '',
  'hidden',
  'hidden="until-found"',
  'open',
  'popover',
  'type="hidden"',
  'style="display: none"',
  'style="display: flex; opacity: 0"',
  'style="visibility: hidden"',
  'style="visibility: inherit; pointer-events: none"',
  'style="pointer-events: unset; opacity: 0.5; animation-name: appear"',
];

const surroundings = ['', 'hidden', 'style="visibility: hidden; pointer-events: none; opacity: 0"'];

function valuesOf(element: Element): string[] {
  const style = getComputedStyle(element);
  const { display, visibility, pointerEvents, opacity, animationName } = style;
  const values = properties.map((name) => style.getPropertyValue(name));
  expect([display, visibility, pointerEvents, opacity, animationName]).toEqual(values);
  return values;
}

test('the style of every element is what jsdom computes, whatever is around it', () => {
  const elements: Element[] = [];
  for (const around of surroundings) {
    const outer = document.createElement('div');
    outer.innerHTML = `<section ${around}></section>`;
    document.body.append(outer);
    for (const tag of tags) {
      for (const attribute of attributes) {
        const element = document.createElement(tag);
        const holder = document.createElement('div');
        holder.innerHTML = `<i ${attribute}></i>`;
        for (const { name, value } of holder.firstElementChild!.attributes) element.setAttribute(name, value);
        outer.firstElementChild!.append(element);
        elements.push(element);
      }
    }
  }
  const short = elements.map(valuesOf);
  // Where a style sheet says one of the properties, jsdom is asked for all, once for all elements: a change of the document
  // has it match its own style sheet with each of them anew.
  const sheet = document.createElement('style');
  sheet.textContent = 'nothing { display: none }';
  document.head.append(sheet);
  for (const [place, element] of elements.entries()) {
    const around = (element.parentElement!.cloneNode() as Element).outerHTML;
    expect(short[place], `${element.outerHTML} in ${around}`).toEqual(valuesOf(element));
  }
  sheet.remove();
});

test('a rule of a style sheet of the document is applied', () => {
  document.body.innerHTML = '<p class="faint">A word</p>';
  const word = document.querySelector('p')!;
  expect(getComputedStyle(word).visibility).toBe('visible');
  const sheet = document.createElement('style');
  sheet.textContent = '.faint { visibility: hidden }';
  document.head.append(sheet);
  expect(getComputedStyle(word).visibility).toBe('hidden');
  sheet.remove();
  expect(getComputedStyle(word).visibility).toBe('visible');
});
