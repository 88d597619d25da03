import { type GeneList, geneList, geneListList } from '@cellfolio/contract';
import type { DocumentKind } from '@/features/documents/index.ts';

export const geneLists: DocumentKind<{ lists: GeneList[] }, GeneList> = {
  key: ['gene-lists'],
  all: '/api/gene-lists',
  one: '/api/gene-lists',
  list: geneListList,
  saved: geneList,
  left: geneListList,
  failures: { remove: 'The list was not deleted.' },
};
