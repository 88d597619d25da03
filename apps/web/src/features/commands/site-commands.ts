import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { useNavigate } from 'react-router';
import { geneFinderAddress } from '@/components/gene-finder-box.tsx';
import {
  datasetMetadataQuery,
  datasetsOf,
  explorerPath,
  readRecentDatasets,
} from '@/features/catalogue/index.ts';
import { customFilePath, useCustomFiles } from '@/features/uploads/index.ts';
import { type Command, CommandsContext, type CommandSource, listedCommands } from '@/lib/commands.ts';
import { docsPath } from '@/lib/docs.ts';
import { useServices, useUserId } from '@/lib/services.ts';
import { themeStore } from '@/lib/theme.ts';

const pages: readonly { path: string; label: string; keywords?: string }[] = [
  { path: '/dataset-selector', label: 'Select Dataset', keywords: 'catalog browse change' },
  { path: '/upload-data', label: 'Upload Data', keywords: 'files import rename delete' },
  { path: '/genes', label: 'Gene in all datasets', keywords: 'finder search' },
  { path: '/account', label: 'Account', keywords: 'settings plan password' },
  { path: '/features', label: 'Features' },
  { path: docsPath, label: 'Docs', keywords: 'documentation help manual' },
  { path: '/blog', label: 'Blog', keywords: 'articles help' },
  { path: '/contact', label: 'Contact', keywords: 'support help' },
];

/** Datasets and pages, and the gene finder for the typed text; `inNewTab` keeps the page that is open. */
export function useSiteSources(text: string, inNewTab: boolean) {
  const navigate = useNavigate();
  const userId = useUserId();
  const { api } = useServices();
  const commands = use(CommandsContext);
  // A visitor has none.
  const enabled = userId !== '';
  const catalogue = useQuery({ ...datasetMetadataQuery(api), enabled });
  const uploads = useCustomFiles(userId, { enabled });
  const open = (path: string) => void navigate(path);
  const recent = readRecentDatasets().map(({ dataset }) => dataset);
  const ageOf = (name: string) => (recent.includes(name) ? recent.indexOf(name) : recent.length);
  const datasets = datasetsOf(catalogue.data ?? {})
    .toSorted((one, other) => ageOf(one.dataset.dataset_filename) - ageOf(other.dataset.dataset_filename))
    .map(({ disease, subDisease, dataset }): Command => ({
      id: `dataset:${disease}:${dataset.dataset_filename}`,
      label: dataset.name,
      note: disease,
      keywords: `${subDisease} ${dataset.dataset_filename}`,
      run: () => open(explorerPath(disease, dataset.dataset_filename)),
    }));
  const own = (uploads.files ?? []).map((file): Command => ({
    id: `upload:${file.id}`,
    label: file.file_name,
    note: 'Your data',
    run: () => open(customFilePath(file)),
  }));
  const settings: Command[] = (['light', 'dark', 'system'] as const).map((theme) => ({
    id: `theme:${theme}`,
    label: `Theme: ${theme}`,
    keywords: 'colors appearance',
    run: () => themeStore.set(theme),
  }));
  const help: Command[] =
    commands === null
      ? []
      : [
          {
            id: 'shortcuts',
            label: 'Keyboard shortcuts',
            keywords: 'keys help list',
            run: commands.openShortcuts,
          },
        ];
  const links = pages.map(({ path, label, keywords }): Command => ({
    id: `page:${path}`,
    label,
    keywords,
    run: () => (path === docsPath ? window.open(path, '_blank', 'noopener') : open(path)),
  }));
  const sources: CommandSource[] = [
    listedCommands('Open a dataset', [...datasets, ...own]),
    listedCommands('Pages', [...links, ...help, ...settings]),
    everywhere(text, (address) =>
      // The tab gets a session of its own: without `noopener` it would have this one, and change its subset.
      inNewTab ? window.open(address, '_blank', 'noopener') : open(address),
    ),
  ];
  return { sources, isPending: catalogue.isLoading, failed: catalogue.isError };
}

/** Looks the text up as a gene of all datasets. */
function everywhere(text: string, show: (address: string) => void): CommandSource {
  const gene = text.trim();
  return {
    heading: 'All datasets',
    find: () =>
      gene === '' || gene.length > 40 || /\s/.test(gene)
        ? []
        : [
            {
              rank: 3,
              command: {
                id: `everywhere:${gene}`,
                label: `Find ${gene} in all datasets`,
                note: 'Gene finder',
                run: () => show(geneFinderAddress(gene)),
              },
            },
          ],
    byId: () => undefined,
  };
}
