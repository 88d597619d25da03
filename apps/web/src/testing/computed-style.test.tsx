import { beforeEach, expect, test } from 'vitest';

const properties = ['display', 'visibility', 'pointer-events', 'opacity', 'animation-name'];

beforeEach(() => {
  document.body.innerHTML = '';
});

/** What jsdom computes: where a style sheet says one of the properties, it is asked for all. */
function computedByJsdom(element: Element): string[] {
  const sheet = document.createElement('style');
  sheet.textContent = 'nothing { display: none }';
  document.head.append(sheet);
  const style = getComputedStyle(element);
  const values = properties.map((name) => style.getPropertyValue(name));
  sheet.remove();
  return values;
}

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

/** What may be inherited. */
const surroundings = ['', 'hidden', 'style="visibility: hidden; pointer-events: none; opacity: 0"'];

test('what is asked of every element is what jsdom computes, whatever is around it', () => {
  for (const around of surroundings) {
    for (const tag of tags) {
      for (const attribute of attributes) {
        const outer = document.createElement('div');
        outer.innerHTML = `<section ${around}></section>`;
        const element = document.createElement(tag);
        const holder = document.createElement('div');
        holder.innerHTML = `<i ${attribute}></i>`;
        for (const { name, value } of holder.firstElementChild!.attributes) element.setAttribute(name, value);
        outer.firstElementChild!.append(element);
        document.body.replaceChildren(outer);
        const name = `${tag} ${attribute} in ${around}`;
        const style = getComputedStyle(element);
        const short = properties.map((each) => style.getPropertyValue(each));
        const { display, visibility, pointerEvents, opacity, animationName } = style;
        expect([display, visibility, pointerEvents, opacity, animationName], name).toEqual(short);
        expect(short, name).toEqual(computedByJsdom(element));
      }
    }
  }
});

test('what a style sheet of the document says is said', () => {
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
