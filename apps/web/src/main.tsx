import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createRouter, routerReady } from './app/router.tsx';
import { createServicesSource } from './app/services-source.ts';
import './app/tool.css';
import { authAnswerPath } from '@/lib/auth-answer.ts';
import { followSystemTheme } from '@/lib/theme.ts';

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root.');

const moved = authAnswerPath(location);
if (moved !== null) history.replaceState(null, '', moved);

followSystemTheme();
if (element.firstElementChild === null) createRoot(element).render(app(createRouter()));
else void takeOver(element);

function app(router: ReturnType<typeof createRouter>) {
  return (
    <StrictMode>
      <App source={createServicesSource()} router={router} />
    </StrictMode>
  );
}

/** Hydrates a prerendered page in separate tasks and in a transition, so that the page stays responsive. */
async function takeOver(page: HTMLElement): Promise<void> {
  await new Promise((done) => setTimeout(done));
  const router = createRouter();
  await routerReady(router);
  startTransition(() => void hydrateRoot(page, app(router)));
}
