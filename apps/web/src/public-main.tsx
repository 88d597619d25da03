import { startTransition, StrictMode, useEffect, useSyncExternalStore } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createDocumentNavigation, loadPublicPage, PublicApp } from './app/public-app.tsx';
import { createServicesSource } from './app/services-source.ts';
import './app/public.css';
import { authAnswerPath } from '@/lib/auth-answer.ts';
import { followSystemTheme } from '@/lib/theme.ts';

// Hydrates a prerendered page; started after the first paint (prerender/late-code.ts).
const moved = authAnswerPath(location);
if (moved === null) await begin();
else location.replace(moved);

async function begin(): Promise<void> {
  const element = document.getElementById('root');
  if (element === null) throw new Error('public-page.html has no #root.');
  followSystemTheme();
  const page = await loadPublicPage(location.pathname);
  const { public: services } = createServicesSource();
  const navigation = createDocumentNavigation();

  function Here() {
    const { pathname, search, hash } = new URL(
      useSyncExternalStore(navigation.subscribe, navigation.get, navigation.get),
    );
    // After the first render, which must match the prerendered page.
    useEffect(() => services.begin(), []);
    return (
      <PublicApp services={services} location={{ pathname, search, hash }} navigator={navigation.navigator}>
        {page}
      </PublicApp>
    );
  }
  // In a transition, so that scrolling has priority.
  startTransition(() => {
    hydrateRoot(
      element,
      <StrictMode>
        <Here />
      </StrictMode>,
    );
  });
}
