export interface GeneFacts {
  /** Symbols if available, else ids. */
  readonly geneNames: readonly string[];
  /** Ensembl ids, besides the symbols; empty for a gene without one. */
  readonly geneIds?: readonly string[];
  /** Chromosome of each gene in the file's spelling; empty if unknown. */
  readonly chromosomes?: readonly string[];
}

/** A genome before a name, as Cell Ranger writes it (`GRCh38_`, `mm10___`), and Seurat after it (`GRCh38-`). */
const genome = String.raw`(?:[a-z0-9.]+_+|(?:grc[a-z]{1,3}\d+|hg\d+|mm\d+|rn\d+)[-.]+)?`;
/** Genes of the mitochondrial genome of animals, without a prefix that marks them. */
const ownName = String.raw`(?:nd[1-6]|nd4l|co[123]|cox[123]|cyt?b|atp[68]|rnr[12]|t[a-z][12]?)`;
/**
 * `MT-ND1`, `mt:CoI` of the fly, `MT.ND1` as R writes it; `_` also begins other names, so that it needs a listed gene
 * name.
 */
const mitochondrial = new RegExp(`^${genome}mt(?:[-.:]|_+${ownName}$)`, 'i');
/** Names in RefSeq, without any prefix. */
const unprefixed = /^(?:nd[1-6]|nd4l|cox?[123]|cyt?b|atp[68])$/i;
const unprefixedDehydrogenase = /^nd(?:[1-6]|4l)$/i;
/** COX1 and COX2 also name the prostaglandin synthases, so bare names count only if most of these seven are present. */
const minUnprefixed = 5;

const chromosomeName =
  /^(?:[a-z0-9.]+_+)?(?:chr)?mt?$|^mito(?:chondri(?:on|a|al))?$|^mitochondrion_genome$|^mtdna$/i;
/** Accessions of the mitochondrial genomes of human and mouse in RefSeq. */
const accession = /^NC_(?:012920|005089)(?:\.\d+)?$/i;

/** Proteins of the cytosolic ribosome (https://www.genenames.org, groups 728 and 729); not kinases such as RPS6KA1. */
const ribosomal = new RegExp(
  `^${genome}rp(?:[sl]\\d{1,2}(?:[ab]{1,2}|al|a1|l1?|x|y[12]|rt)?|lp[012]|sa2?)$`,
  'i',
);
/** Chains of haemoglobin in human, mouse and zebrafish; not HBP1, HBS1L, HBEGF. */
const haemoglobin = new RegExp(
  `^${genome}hb(?:a[12]?|b|d|e1|g[12]|m|q1[ab]?|z|a[-.](?:a[12]|x)|b[-.](?:b[12st]|bh\\d|y)|[ab][ae]\\d(?:\\.\\d)?)$`,
  'i',
);

/** Per gene 1 if it is on the mitochondrial genome, by its name, its Ensembl id or its chromosome. */
export function mitochondrialGenes({ geneNames, geneIds, chromosomes }: GeneFacts): Uint8Array {
  const bare = new Set<string>();
  for (const name of geneNames) if (unprefixedDehydrogenase.test(name)) bare.add(name.toLowerCase());
  const takesBare = bare.size >= minUnprefixed;
  return Uint8Array.from(geneNames, (name, gene) => {
    const chromosome = chromosomes?.[gene] ?? '';
    return mitochondrial.test(name) ||
      (takesBare && unprefixed.test(name)) ||
      isMitochondrialId(name) ||
      isMitochondrialId(geneIds?.[gene] ?? '') ||
      chromosomeName.test(chromosome) ||
      accession.test(chromosome)
      ? 1
      : 0;
  });
}

export function ribosomalGenes({ geneNames }: GeneFacts): Uint8Array {
  return Uint8Array.from(geneNames, (name) => (ribosomal.test(name) ? 1 : 0));
}

export function haemoglobinGenes({ geneNames }: GeneFacts): Uint8Array {
  return Uint8Array.from(geneNames, (name) => (haemoglobin.test(name) ? 1 : 0));
}

/** The id may follow a genome and precede a version. */
function isMitochondrialId(text: string): boolean {
  const id = /ENS(?:MUS)?G\d{11}/.exec(text)?.[0];
  return id !== undefined && mitochondrialIds.has(id);
}

/**
 * Ensembl ids of the 37 genes of the mitochondrial genome: 13 of proteins, 2 of ribosomal and 22 of transfer RNA, of
 * chromosome MT of GRCh38 and of GRCm39 (https://www.ensembl.org).
 */
export const mitochondrialIds: ReadonlySet<string> = new Set([...human(), ...mouse()]);

/** In chromosome order, MT-TF to MT-TP. */
function human(): string[] {
  const numbers = [
    '210049 211459 210077 210082 209082 198888 210100 210107 210112 198763 210117 210127 210135',
    '210140 210144 198804 210151 210154 198712 210156 228253 198899 198938 210164 198840 210174',
    '212907 198886 210176 210184 210191 198786 198695 210194 198727 210195 210196',
  ];
  return numbers.flatMap((line) => line.split(' ')).map((number) => `ENSG00000${number}`);
}

/** Numbered in chromosome order, mt-Tf to mt-Tp, except mt-Nd4l. */
function mouse(): string[] {
  return Array.from({ length: 37 }, (_, at) => {
    const number = 64336 + at;
    return `ENSMUSG000000${number === 64362 ? 65947 : number}`;
  });
}
