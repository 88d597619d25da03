/**
 * Ensembl ids of the 37 genes of the mitochondrial genome: 13 of proteins, 2 of ribosomal and 22 of transfer RNA, of
 * chromosome MT of GRCh38 and of GRCm39 (https://www.ensembl.org).
 */
export const mitochondrialIds: ReadonlySet<string> = new Set([...human(), ...mouse()]);

/** In the order of the chromosome, MT-TF to MT-TP. */
function human(): string[] {
  const numbers = [
    '210049 211459 210077 210082 209082 198888 210100 210107 210112 198763 210117 210127 210135',
    '210140 210144 198804 210151 210154 198712 210156 228253 198899 198938 210164 198840 210174',
    '212907 198886 210176 210184 210191 198786 198695 210194 198727 210195 210196',
  ];
  return numbers.flatMap((line) => line.split(' ')).map((number) => `ENSG00000${number}`);
}

/** Numbered as they lie, mt-Tf to mt-Tp, but for mt-Nd4l. */
function mouse(): string[] {
  return Array.from({ length: 37 }, (_, at) => {
    const number = 64336 + at;
    return `ENSMUSG000000${number === 64362 ? 65947 : number}`;
  });
}
