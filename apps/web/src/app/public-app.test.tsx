import { beforeEach, expect, test, vi } from 'vitest';
import { createDocumentNavigation } from './public-app.tsx';

beforeEach(() => history.replaceState(null, '', '/demo'));

test('what follows the ? changes within the document, and is heard', () => {
  const { navigator, get, subscribe } = createDocumentNavigation();
  const listener = vi.fn();
  subscribe(listener);
  navigator.replace({ pathname: '/demo', search: '?step=gene', hash: '' });
  expect(new URL(get()).search).toBe('?step=gene');
  navigator.push('?step=violin');
  expect(location.search).toBe('?step=violin');
  expect(listener).toHaveBeenCalledTimes(2);
});

test('an address is written as a link has it', () => {
  const { navigator } = createDocumentNavigation();
  expect(navigator.createHref('/pricing')).toBe('/pricing');
  expect(navigator.createHref({ pathname: '/demo', search: '?step=gene', hash: '#top' })).toBe(
    '/demo?step=gene#top',
  );
});
