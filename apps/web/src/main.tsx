import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createRouter, routerReady } from './app/router.tsx';
import { createServicesSource } from './app/services-source.ts';
import './app/tool.css';
import { authAnswerPath } from '@/lib/auth-answer-path.ts';
import { followSystemTheme } from '@/lib/theme.ts';

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root.');

const moved = authAnswerPath(location);
if (moved !== null) history.replaceState(null, '', moved);

followSystemTheme();
const router = createRouter();
const app = (
  <StrictMode>
    <App source={createServicesSource()} router={router} />
  </StrictMode>
);
if (element.firstElementChild === null) createRoot(element).render(app);
else void takeOver(element);

/** Hydrates a prerendered page in a transition, so that it stays responsive. */
async function takeOver(page: HTMLElement): Promise<void> {
  await routerReady(router);
  startTransition(() => void hydrateRoot(page, app));
}
