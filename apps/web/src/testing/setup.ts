import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import * as react from 'react';
import { toast } from 'sonner';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { tourKey } from '@/lib/tour-anchor.ts';
import { setScreenWidth } from './stand-ins.ts';

/** Properties that queries, user-event and Radix read from every element: script name and CSS name. */
const properties: ReadonlyMap<string, string> = new Map([
  ['display', 'display'],
  ['visibility', 'visibility'],
  ['pointerEvents', 'pointer-events'],
  ['opacity', 'opacity'],
  ['animationName', 'animation-name'],
]);
const names = new Set(properties.values());
const named = /display|visibility|pointer-events|opacity|animation/;

/** Attributes on which the display rules of jsdom's own style sheet depend. */
const deciding = ['hidden', 'open', 'popover', 'type'];

const inheriting = new Set(['', 'inherit', 'unset']);

/**
 * Answers these properties of `getComputedStyle` without computing the others, which jsdom still handles. jsdom matches
 * each rule of its own style sheet with an element again after every change of the document: a quarter of the time of
 * these tests. Results are the same, as `computed-style.test.tsx` compares.
 */
function shortenComputedStyles(): void {
  const window = document.defaultView!;
  if (window.getComputedStyle.name === 'shortComputedStyle') return;
  const compute = window.getComputedStyle.bind(window);

  const displays = new Map<string, string>();
  const displayOf = (element: Element): string => {
    // The first `summary` of its parent is not displayed as others are.
    if (element.localName === 'summary' || styleOf(element).includes('display'))
      return compute(element).display;
    const key = JSON.stringify([element.localName, ...deciding.map((name) => element.getAttribute(name))]);
    const cached = displays.get(key);
    if (cached !== undefined) return cached;
    const { display } = compute(element);
    displays.set(key, display);
    return display;
  };

  const inherited = (element: Element, name: string, initial: string): string => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      // Hidden parts of tables.
      if (name === 'visibility' && at.hasAttribute('hidden')) return compute(element).visibility;
      if (!styleOf(at).includes(name)) continue;
      const value = (at as HTMLElement).style.getPropertyValue(name);
      if (!inheriting.has(value)) return value;
    }
    return initial;
  };

  const valueOf = (element: Element, name: string): string => {
    if (name === 'display') return displayOf(element);
    if (name === 'visibility') return inherited(element, name, 'visible');
    if (name === 'pointer-events') return inherited(element, name, 'auto');
    if (/opacity|animation/.test(styleOf(element))) return compute(element).getPropertyValue(name);
    return name === 'opacity' ? '1' : 'none';
  };

  const shortComputedStyle: typeof window.getComputedStyle = (element, pseudoElement) => {
    if (pseudoElement || isStyled()) return compute(element, pseudoElement);
    let computed: CSSStyleDeclaration | undefined;
    const all = () => (computed ??= compute(element));
    const getPropertyValue = (name: string) =>
      names.has(name) ? valueOf(element, name) : all().getPropertyValue(name);
    return new Proxy({} as CSSStyleDeclaration, {
      get: (_, property: string) => {
        const name = properties.get(property);
        if (name !== undefined) return valueOf(element, name);
        if (property === 'getPropertyValue') return getPropertyValue;
        const value: unknown = Reflect.get(all(), property, all());
        return typeof value === 'function' ? value.bind(all()) : value;
      },
    });
  };
  window.getComputedStyle = shortComputedStyle;
  globalThis.getComputedStyle = shortComputedStyle;
}

function styleOf(element: Element): string {
  return element.getAttribute('style') ?? '';
}

const harmless = new WeakMap<CSSStyleSheet, number>();

function isStyled(): boolean {
  for (const sheet of document.styleSheets) {
    if (harmless.get(sheet) === sheet.cssRules.length) continue;
    const rules = [...sheet.cssRules];
    // No test asks for scroll bars, such as those that Radix hides.
    const telling = rules.filter(({ cssText }) => !/^[^{]*::/.test(cssText));
    if (telling.some(({ cssText }) => named.test(cssText))) return true;
    harmless.set(sheet, rules.length);
  }
  return false;
}

// The first visit of a page loads its code, slowly where two processors are shared.
configure({ asyncUtilTimeout: 30_000 });

// The style sheet of notices: jsdom matches each of its hundred rules with each element that a query by role looks at.
document.head.querySelector('style')?.remove();
shortenComputedStyles();

// For ten thousand elements a second React keeps the stack at which each was made, for its messages: a fifth of the time of
// these tests. This is how many were kept in this second.
const internals = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
Object.defineProperty(Reflect.get(react, internals), 'recentlyCreatedOwnerStacks', {
  configurable: true,
  get: () => 10_000,
  set: () => {},
});

// jsdom has no layout; form controls ask for their size.
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);

vi.stubGlobal('scrollTo', () => {});

// As the server fills it into the page.
document.documentElement.dataset['trialLength'] = '7 days';
document.documentElement.dataset['userStorage'] = '40 GB';

// Nor does it lay out lists, follow pointers, know what lies where, or give files addresses.
Element.prototype.scrollIntoView ??= () => {};
Element.prototype.hasPointerCapture ??= () => false;
Document.prototype.elementsFromPoint ??= () => [];
let files = 0;
URL.createObjectURL ??= () => `blob:cellfolio.test/${++files}`;
URL.revokeObjectURL ??= () => {};

beforeEach(() => {
  setScreenWidth(1440);
  // The tour would begin by itself.
  localStorage.setItem(tourKey('ada'), 'seen');
});

// The next file has the same window.
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

afterEach(() => {
  toast.dismiss();
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
