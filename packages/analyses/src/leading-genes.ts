import {
  isCellCycleGene,
  haemoglobinGenes,
  listedNames,
  mitochondrialGenes,
  type ResultCaution as Caution,
  ribosomalGenes,
} from '@cellfolio/model';

/** Number of top genes that are checked: as many as a reader looks at first. */
export const leadingCount = 20;

/** The significant genes of one group, most significant first, at most `leadingCount`. */
export interface LeadingGenes {
  /** Empty when no column divides the cells into parts. */
  group: string;
  genes: readonly string[];
}

/** Expressed from the inactive X chromosome, or on Y without an equally expressed counterpart; human and mouse. */
const sexLinked = namesIn(
  `XIST TSIX AMELY DDX3Y EIF1AY EIF2S3Y KDM5D LINC00278 NLGN4Y PRKY RBMY RPS4Y1 RPS4Y2 SRY TBL1Y TMSB4Y TTTY10 TTTY14
   TTTY15 TXLNGY TXLNG2P USP9Y UTY ZFY ZFY1 ZFY2`,
);

/**
 * Switched on while tissue is dissociated: immediate early genes and heat shock proteins among those of van den Brink and
 * others (2017), which O'Flanagan and others (2019) and Marsh and others (2022) report too; human and mouse.
 */
const stress = namesIn(
  `ATF3 BTG1 BTG2 CCN1 CEBPB CEBPD CXCL1 CYR61 DNAJA1 DNAJB1 DNAJB4 DUSP1 EGR1 EGR2 FOS FOSB FOSL2 GADD45B GADD45G HSP90AA1
   HSP90AB1 HSPA1A HSPA1B HSPA5 HSPA8 HSPB1 HSPD1 HSPE1 HSPH1 IER2 IER3 IER5 JUN JUNB JUND KLF4 KLF6 MCL1 NFKBIA NFKBIZ
   NR4A1 PPP1R15A RHOB SOCS3 ZFP36`,
);

/** With one of these beside them haemoglobins lead because of red blood cells themselves. */
const redCells = namesIn('AHSP ALAS2 CA1 EPB42 GYPA GYPB HBM HEMGN KLF1 SLC4A1');

interface GeneKind {
  code: Caution['code'];
  name: string;
  /** Minimum number among the top genes for a caution. */
  min: number;
  isOf: (gene: string, ambient: ReadonlySet<string>) => boolean;
  /** Nothing is said of a list with such a gene. */
  unless?: (gene: string) => boolean;
  /** Usual reason for their rank, and advice. */
  cause: string;
}

/** A gene counts for the first matching kind: RPS4Y1 is on the Y chromosome and ribosomal. */
const kinds: readonly GeneKind[] = [
  {
    code: 'sex-linked-genes-lead',
    name: 'Sex-linked genes',
    min: 1,
    isOf: (gene) => sexLinked.has(nameOf(gene)),
    cause:
      'The cells probably differ in the sex of their donors: compare donors of one sex, or add sex as a covariate.',
  },
  {
    code: 'mitochondrial-genes-lead',
    name: 'Mitochondrial genes',
    min: 3,
    isOf: (gene) => mitochondrialGenes({ geneNames: [gene] })[0] === 1,
    cause:
      'The cells probably differ in quality, since damaged cells retain these: compare their quality first.',
  },
  {
    code: 'ribosomal-genes-lead',
    name: 'Ribosomal genes',
    min: 3,
    isOf: (gene) => ribosomalGenes({ geneNames: [gene] })[0] === 1,
    cause: 'They usually follow depth, growth or cell type mixture, rarely a condition: compare these first.',
  },
  {
    code: 'stress-genes-lead',
    name: 'Genes of stress',
    min: 3,
    isOf: (gene) => stress.has(nameOf(gene)),
    cause: 'Dissociation of tissue switches them on: check how the samples were handled.',
  },
  {
    code: 'cell-cycle-genes-lead',
    name: 'Genes of the cell cycle',
    min: 3,
    isOf: (gene) => isCellCycleGene(nameOf(gene)),
    cause: 'More of the cells may divide: compare shares of dividing cells, or cells of one phase.',
  },
  {
    code: 'ambient-genes-lead',
    name: 'Genes of ambient RNA',
    min: 1,
    isOf: (gene, ambient) => ambient.has(gene) || haemoglobinGenes({ geneNames: [nameOf(gene)] })[0] === 1,
    unless: (gene) => redCells.has(nameOf(gene)),
    cause:
      'They usually come from broken cells, whose RNA is in every droplet: remove ambient RNA first, or do not interpret them.',
  },
];

const maxNamesListed = 5;

/**
 * Cautions about genes that usually lead for another reason than the question.
 * @param ambient symbols of genes that behave as ambient RNA
 */
export function leadingGeneCautions(
  lists: readonly LeadingGenes[],
  ambient: ReadonlySet<string> = new Set(),
): Caution[] {
  const classified = lists.map(({ group, genes }) => ({
    group,
    of: genes.length,
    kinds: genes.map((gene) => ({ gene, kind: kinds.find(({ isOf }) => isOf(gene, ambient)) })),
  }));
  return kinds.flatMap((kind) => {
    const { unless } = kind;
    const matches = classified
      .filter(({ kinds: all }) => !unless || !all.some(({ gene }) => unless(gene)))
      .map(({ group, of, kinds: all }) => ({
        group,
        of,
        genes: all.filter((one) => one.kind === kind).map(({ gene }) => gene),
      }))
      .filter(({ genes }) => genes.length >= kind.min);
    return matches.length > 0 ? [cautionOf(kind, matches)] : [];
  });
}

interface FoundGenes extends LeadingGenes {
  /** Number of genes that were checked. */
  of: number;
}

function cautionOf({ code, name, cause }: GeneKind, matches: readonly FoundGenes[]): Caution {
  // Several groups are mostly led by the same genes.
  const max = matches.length > 1 ? { groups: 3, genes: 2 } : { groups: 1, genes: maxNamesListed };
  const words = matches.map(
    ({ group, genes, of }) =>
      `${group === '' ? '' : `${group}: `}${genes.length} of the first ${of} (${listedNames(genes, max.genes)})`,
  );
  const listed = matches.slice(0, maxNamesListed);
  return {
    code,
    message: `${name} lead: ${listedNames(words, max.groups)}. ${cause}`,
    numbers: {
      groups: listed.map(({ group }) => group),
      counts: listed.map(({ genes }) => genes.length),
      of: listed.map(({ of }) => of),
      genes: listed.flatMap(({ genes }) => genes),
      groupCount: matches.length,
    },
  };
}

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** A symbol in the form of the sets: upper case, without a genome prefix such as `GRCh38_`. */
function nameOf(gene: string): string {
  return gene.replace(/^(?:GRC[a-z]\d+|hg\d+|mm\d+)[-._]+/i, '').toUpperCase();
}
