import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { GeneSetOrigin } from '@cellfolio/contract';
import { type GeneSetColumns, readGmt } from '@cellfolio/analysis';

type Provenance = Pick<GeneSetOrigin, 'title' | 'release' | 'licence' | 'citation'>;

/** Shipped with the source and used until the library has been fetched. */
interface BuiltInLibrary extends Provenance {
  /** `built-in` when complete, `starter` when abridged. */
  source: 'built-in' | 'starter';
  file: string;
  setCount: number;
  geneCount: number;
  /** SHA-256 of the file, written here so that nothing is read before the sets are requested. */
  version: string;
}

export interface OfferedLibrary {
  name: string;
  builtIn: BuiltInLibrary;
  published: Pick<Provenance, 'licence' | 'citation'>;
}

const creativeCommons = 'CC BY 4.0';
const goCitation =
  'Ashburner et al. 2000, doi:10.1038/75556; The Gene Ontology Consortium 2021, doi:10.1093/nar/gkaa1113';
const hallmarkCitation = 'Liberzon et al. 2015, doi:10.1016/j.cels.2015.12.004';
/** Provenance of sets written for this project: there is nothing to cite. */
const abridged = {
  source: 'starter',
  licence: 'Apache 2.0, as Cellfolio',
  citation: '',
} as const;

const defaultLibrary = 'KEGG_2021_Human';
export const hallmarkLibrary = 'MSigDB_Hallmark_2020';

/** The libraries that are always offered, under their publisher's names; titles of built-in ones say what they hold. */
export const offeredLibraries: readonly OfferedLibrary[] = [
  {
    name: defaultLibrary,
    builtIn: {
      ...abridged,
      title: 'KEGG 2021, abridged',
      file: 'kegg-abridged.gmt',
      release: 'abridged pathways after KEGG, written for Cellfolio',
      setCount: 111,
      geneCount: 2857,
      version: '04bce064cf747a13d1e1d55bfc60cab85898c91dc36101bc0780111a01da2f6f',
    },
    published: {
      licence: 'terms of KEGG: academic use is free, other use needs a license',
      citation: 'Kanehisa et al. 2021, doi:10.1093/nar/gkaa970',
    },
  },
  {
    name: hallmarkLibrary,
    builtIn: {
      source: 'built-in',
      title: 'MSigDB Hallmark 7.0',
      file: 'msigdb-hallmark-7.0.sets',
      release: 'hallmark gene sets of MSigDB 7.0 (2019)',
      licence: creativeCommons,
      citation: hallmarkCitation,
      setCount: 50,
      geneCount: 4384,
      version: '11e4f4d50af31d3157edf3de68288f5d48b16ac6744b532c602b50afb184bd1d',
    },
    published: { licence: creativeCommons, citation: hallmarkCitation },
  },
  {
    name: 'GO_Biological_Process_2023',
    builtIn: {
      source: 'built-in',
      title: 'GO Biological Process 2021',
      file: 'go-biological-process-2021.sets',
      release: 'biological processes of the Gene Ontology, release 2021 of Enrichr',
      licence: creativeCommons,
      citation: goCitation,
      setCount: 6036,
      geneCount: 14_937,
      version: 'b48aa1b4c1a790528b1445fead5635c5c99f95e2a77a5fe9a655c3911057af3a',
    },
    published: { licence: creativeCommons, citation: goCitation },
  },
  {
    name: 'Reactome_Pathways_2024',
    builtIn: {
      ...abridged,
      title: 'Reactome 2024, abridged',
      file: 'reactome-abridged.gmt',
      release: 'abridged pathways after Reactome, written for Cellfolio',
      setCount: 125,
      geneCount: 4054,
      version: 'a70c03cc07e9e4ce6941e153e74364bda9dfa73a61cc6f1b6385269fcdddc736',
    },
    published: {
      licence: 'terms of Reactome (reactome.org/license)',
      citation: 'Milacic et al. 2024, doi:10.1093/nar/gkad1025',
    },
  },
];

const decompress = promisify(brotliDecompress);
const decoder = new TextDecoder();

/** The sets of a built-in library, not cached: GO takes about 10 ms and 4 MB, the others less. */
export async function builtInSets({ file }: Pick<BuiltInLibrary, 'file'>): Promise<GeneSetColumns> {
  const bytes = await readFile(new URL(`./built-in/${file}`, import.meta.url));
  return file.endsWith('.gmt') ? readGmt(decoder.decode(bytes), file).sets : unpackGeneSets(bytes);
}

/**
 * Reads gene sets in our compact form: brotli over a line of the symbols in alphabetical order, a line of the names of
 * the sets (both tab-separated), and for each set the number of its genes and the differences between their successive
 * indices in the line of symbols, minus one, as integers of seven bits per byte (the eighth bit says that more
 * follows). Written by `fixtures/gene-sets/pack-gene-sets.ts`. A sixth of the size of the GMT text. Throws when the
 * bytes are truncated or changed.
 */
export async function unpackGeneSets(packed: Uint8Array): Promise<GeneSetColumns> {
  const bytes = await decompress(packed);
  const symbolsEnd = bytes.indexOf(newLine);
  const namesEnd = bytes.indexOf(newLine, symbolsEnd + 1);
  if (symbolsEnd < 0 || namesEnd < 0) throw new RangeError('The gene sets lack a line.');
  const symbols = decoder.decode(bytes.subarray(0, symbolsEnd)).split('\t');
  const names = decoder.decode(bytes.subarray(symbolsEnd + 1, namesEnd)).split('\t');
  const starts = new Int32Array(names.length + 1);
  // No gene takes less than a byte.
  const genes = new Int32Array(bytes.length - namesEnd);
  let at = namesEnd + 1;
  let end = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      if (at === bytes.length) throw new RangeError('The gene sets break off.');
      const byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  for (let set = 0; set < names.length; set++) {
    let gene = -1;
    for (let left = next(); left > 0; left--) {
      gene += next() + 1;
      if (gene >= symbols.length) throw new RangeError('The gene sets name a gene that is not there.');
      genes[end++] = gene;
    }
    starts[set + 1] = end;
  }
  if (at !== bytes.length) throw new RangeError('The gene sets go on after their end.');
  return { names, starts, genes: genes.slice(0, end), symbols };
}

const newLine = 0x0a;
