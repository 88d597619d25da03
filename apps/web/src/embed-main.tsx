import { embeddedDataset, embeddedDatasetElement, readEmbeddedView } from '@cellfolio/contract';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app/embed.css';
import { EmbedPage } from './features/embed/index.ts';
import { followSystemTheme, themeStore } from '@/lib/theme.ts';

// A view that other sites frame: /embed/{dataset}. The server writes into the page what it knows of a public dataset.
const element = document.getElementById('root');
if (element === null) throw new Error('embed.html has no #root.');
const view = readEmbeddedView(new URL(location.href));
const written = document.getElementById(embeddedDatasetElement)?.textContent;
const dataset = written === undefined ? undefined : embeddedDataset.parse(JSON.parse(written));
themeStore.show(view?.theme ?? 'system');
followSystemTheme();
createRoot(element).render(
  <StrictMode>
    <EmbedPage {...(view !== undefined && dataset !== undefined && { opened: { view, dataset } })} />
  </StrictMode>,
);
