import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import * as react from 'react';
import { toast } from 'sonner';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { shortenComputedStyles } from './computed-style.ts';
import { setScreenWidth } from './stand-ins.ts';

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

beforeEach(() => setScreenWidth(1440));

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
