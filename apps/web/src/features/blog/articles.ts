export interface Article {
  id: number;
  slug: string;
  title: string;
  subtitle: string;
  description: string;
  excerpt: string;
  audience: string;
  category: string;
  author: string;
  /** Day of publication, such as `2025-06-12`. */
  date: string;
  /** Number of words of the text, verified by a test. */
  words: number;
  /** Such as `8 min read`. */
  readTime: string;
  /** False for an article that is reachable by related reading and its address, but not listed. */
  listed: boolean;
  related: readonly string[];
}

/** Adults read about 240 words of non-fiction per minute (Brysbaert 2019); figures and numbers slow that down. */
const wordsPerMinute = 200;

function readingTime(words: number): string {
  return `${Math.max(1, Math.round(words / wordsPerMinute))} min read`;
}

const author = 'The Cellfolio team';

function article(entry: Omit<Article, 'readTime' | 'author'>): Article {
  return { ...entry, author, readTime: readingTime(entry.words) };
}

/** All articles, newest first. Plain data: the list, the pages, the sitemap and the feed are made from it. */
export const articles: readonly Article[] = [
  article({
    id: 6,
    slug: 'gene-signatures-context-specificity-challenges',
    title: 'Gene Signatures Do Not Travel Alone',
    subtitle: 'Why the same list of genes means different things in different cells, and how to test yours',
    description:
      'How signature scores are computed, why cell identity leaks into them, and five checks before a score becomes a conclusion.',
    excerpt:
      'An interferon score that lights up every B cell is not measuring interferon. Three experiments show what else a gene list can measure, and how to tell.',
    audience: 'Biologists who score gene lists',
    category: 'Methods',
    date: '2025-11-06',
    words: 1272,
    listed: true,
    related: [
      'single-cell-differential-expression-statistical-assumptions',
      'detect-rare-cell-populations-without-overfitting',
    ],
  }),
  article({
    id: 5,
    slug: 'detect-rare-cell-populations-without-overfitting',
    title: 'Detecting Rare Cell Populations Without Overfitting',
    subtitle:
      'How many cells you need, what a percentile threshold returns when nothing is there, and who checks your panel',
    description:
      'Sampling, ambient RNA, thresholds and gene panels for populations below one percent, with worked numbers.',
    excerpt:
      'The top one percent always contains one percent of your cells. What to ask before calling them a population.',
    audience: 'Biologists who look for small populations',
    category: 'Study design',
    date: '2025-10-09',
    words: 1336,
    listed: true,
    related: [
      'gene-signatures-context-specificity-challenges',
      'umap-visualization-cell-state-manifold-geometry',
    ],
  }),
  article({
    id: 4,
    slug: 'batch-correction-scrna-seq-methods-comparison',
    title: 'Batch Correction: What Each Method Assumes',
    subtitle:
      'The same correction can rescue one comparison and erase another; the difference is what you call a batch',
    description:
      'What ComBat, MNN, Seurat anchors, Harmony and scVI assume about scRNA-seq samples, and two corrections run on data whose truth is known.',
    excerpt:
      'With the study as batch, correction aligned the T cells of two tissues. With the patient as batch, it dissolved six tumors into one.',
    audience: 'Biologists who combine samples',
    category: 'Methods',
    date: '2025-09-11',
    words: 1511,
    listed: true,
    related: [
      'umap-visualization-cell-state-manifold-geometry',
      'single-cell-differential-expression-statistical-assumptions',
    ],
  }),
  article({
    id: 3,
    slug: 'single-cell-differential-expression-statistical-assumptions',
    title: 'Single-Cell Differential Expression: The Assumptions Behind the P-Value',
    subtitle: 'A hundred significant genes without an effect, and the two questions that prevent them',
    description:
      'What the rank-sum and t tests assume about cells, why patients are the replicates, and what testing clusters on their own data does.',
    excerpt:
      'We compared treated and untreated patients in data where treatment does nothing. The cell-level test found 116 genes. Here is why, and what to do instead.',
    audience: 'Biologists who compare conditions',
    category: 'Statistics',
    date: '2025-08-14',
    words: 1389,
    listed: true,
    related: [
      'batch-correction-scrna-seq-methods-comparison',
      'gene-signatures-context-specificity-challenges',
    ],
  }),
  article({
    id: 2,
    slug: 'umap-visualization-cell-state-manifold-geometry',
    title: 'Reading a UMAP: What Its Geometry Says About Cell State',
    subtitle:
      'Which distances, sizes and gaps on the map carry information, measured on the same 5,799 cells',
    description:
      'What UMAP keeps and what it invents: neighborhoods, distances, sizes and gaps, with the numbers for five settings.',
    excerpt:
      'We drew the same cells five times and counted how many neighbors survived. Local groups did; distances between islands did not.',
    audience: 'Biologists who read UMAPs',
    category: 'Visualization',
    date: '2025-07-10',
    words: 1404,
    listed: true,
    related: [
      'batch-correction-scrna-seq-methods-comparison',
      'detect-rare-cell-populations-without-overfitting',
      'top-5-single-cell-and-spatial-platform-alternatives',
    ],
  }),
  article({
    id: 1,
    slug: 'top-5-single-cell-and-spatial-platform-alternatives',
    title: 'Top 5 Single-Cell and Spatial Platform Alternatives',
    subtitle:
      'Five public tools that open single-cell data in a browser, and which question each answers best',
    description:
      'CELLxGENE, Single Cell Portal, UCSC Cell Browser, Vitessce and kana compared by what they do well and what they leave to you.',
    excerpt:
      'Before paying for a platform, know what the free ones do. Five public tools, one small task, and how to choose.',
    audience: 'Labs choosing a tool',
    category: 'Tools',
    date: '2025-06-12',
    words: 1328,
    listed: false,
    related: ['umap-visualization-cell-state-manifold-geometry'],
  }),
];

export const listedArticles: readonly Article[] = articles.filter(({ listed }) => listed);

export function articleBySlug(slug: string): Article | undefined {
  return articles.find((article) => article.slug === slug);
}

/** The figure shown beside each listed article, 600 by 500 CSS pixels. */
export const covers: ReadonlyMap<string, string> = new Map([
  ['gene-signatures-context-specificity-challenges', 'signatures-exhaustion-umap'],
  ['detect-rare-cell-populations-without-overfitting', 'rare-mast-breast'],
  ['batch-correction-scrna-seq-methods-comparison', 'batch-patients-after'],
  ['single-cell-differential-expression-statistical-assumptions', 'de-one-gene-by-patient'],
  ['umap-visualization-cell-state-manifold-geometry', 'umap-min-dist-large'],
]);
