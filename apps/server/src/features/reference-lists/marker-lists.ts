import { type CellTypeMarkers, parseMarkers, resolveMarkers } from '@cellfolio/analysis';
import type { ListHead, MarkerSet } from '@cellfolio/analyses';
import type { ObjectStore } from '@cellfolio/store';
import { headOf, type ListKind, StoredLists } from './stored-lists.ts';

/**
 * Well-known human markers of common cell types: a starting set, far from complete. The cited work showed the type by
 * one or more of its genes; the other genes are common knowledge of the field. `checked` says whether author, year,
 * journal and title of the reference were looked up in a bibliography; the other references are from memory.
 */
export const abridgedMarkersCsv = `cell_type,lineage,genes,reference,checked
CD4 T cell,T and NK,CD4 IL7R TCF7 LEF1 CCR7 MAL TRAT1 CD40LG LTB CD3D CD3E,Sallusto 1999 Nature,yes
CD8 T cell,T and NK,CD8A CD8B CD3D CD3E CD3G TRAC GZMK GZMH CCL5 CRTAM,Littman 1985 Cell,no
Regulatory T cell,T and NK,FOXP3 IL2RA CTLA4 TIGIT IKZF2 TNFRSF18 TNFRSF4 RTKN2 CCR8 LAYN,Hori 2003 Science,yes
NK cell,T and NK,NCAM1 KLRD1 KLRF1 NCR1 KLRC1 GNLY NKG7 PRF1 FCGR3A XCL1 XCL2 TYROBP,Lanier 1986 J Immunol,yes
B cell,B,MS4A1 CD19 CD79A CD79B CD22 BANK1 PAX5 TCL1A FCRLA VPREB3 BLK,Stashenko 1980 J Immunol,yes
Germinal centre B cell,B,BCL6 AICDA RGS13 MME SERPINA9 LMO2 MEF2B S1PR2,Muramatsu 2000 Cell,no
Plasma cell,B,JCHAIN MZB1 SDC1 XBP1 IGHG1 IGHA1 DERL3 TNFRSF17 PRDM1 FKBP11,Reimold 2001 Nature,yes
Classical monocyte,myeloid,CD14 S100A8 S100A9 S100A12 VCAN FCN1 LYZ CSF3R MNDA,Passlick 1989 Blood,yes
Non-classical monocyte,myeloid,FCGR3A MS4A7 CDKN1C LST1 CX3CR1 TCF7L2 RHOC HES4 CSF1R SIGLEC10,Passlick 1989 Blood,yes
Macrophage,myeloid,CD68 CD163 MRC1 MSR1 C1QA C1QB C1QC APOE MARCO GPNMB TREM2 FOLR2,Warnke 1989 Am J Pathol,yes
Conventional dendritic cell 1,myeloid,CLEC9A XCR1 CADM1 BATF3 IRF8 CLNK WDFY4 IDO1,Villani 2017 Science,yes
Conventional dendritic cell 2,myeloid,CD1C FCER1A CLEC10A CD1E FCGR2B PKIB HLA-DQA1,Villani 2017 Science,yes
Mature dendritic cell,myeloid,LAMP3 CCR7 CCL19 CCL22 FSCN1 CD200 EBI3,Maier 2020 Nature,no
Plasmacytoid dendritic cell,plasmacytoid,CLEC4C LILRA4 IL3RA IRF7 TCF4 GZMB PTCRA SMPD3 ITM2C NRP1,Dzionek 2000 J Immunol,yes
Neutrophil,myeloid,FCGR3B CSF3R CXCR2 CXCR1 FFAR2 S100A8 S100A12 MMP25 G0S2 PROK2 CMTM2,Le Poul 2003 J Biol Chem,yes
Mast cell,mast,TPSAB1 TPSB2 CPA3 KIT MS4A2 HDC HPGDS GATA2,Schwartz 1981 J Biol Chem,no
Megakaryocyte and platelet,megakaryocyte,PPBP PF4 GP9 ITGA2B GP1BB TUBB1 CLEC1B TREML1,Rowley 2011 Blood,yes
Erythroid cell,erythroid,HBA1 HBA2 HBB ALAS2 GYPA AHSP CA1 SLC4A1 HBM,Kihm 2002 Nature,yes
Haematopoietic stem and progenitor cell,progenitor,CD34 SPINK2 AVP CRHBP HLF MEIS1 PROM1 KIT,Civin 1984 J Immunol,yes
Fibroblast,stromal,COL1A1 COL1A2 COL3A1 DCN LUM PDGFRA DPT PI16 FBLN1 MFAP5,Buechler 2021 Nature,yes
Pericyte,stromal,RGS5 PDGFRB CSPG4 NOTCH3 KCNJ8 ABCC9 HIGD1B COX4I2,Bondjers 2003 Am J Pathol,yes
Smooth muscle cell,stromal,ACTA2 MYH11 TAGLN CNN1 ACTG2 DES MYLK LMOD1,Skalli 1986 J Cell Biol,yes
Endothelial cell,endothelial,PECAM1 VWF CDH5 KDR TEK EMCN CLDN5 ERG ESAM PLVAP FLT1,Garlanda 1997 Arterioscler Thromb Vasc Biol,no
Lymphatic endothelial cell,endothelial,PROX1 LYVE1 PDPN FLT4 CCL21 MMRN1 TFF3 RELN,Banerji 1999 J Cell Biol,yes
Adipocyte,stromal,ADIPOQ PLIN1 LEP CIDEC FABP4 LIPE PLIN4 PPARG,Scherer 1995 J Biol Chem,yes
Cardiomyocyte,muscle,TNNT2 MYH6 MYH7 ACTC1 MYL7 NPPA TNNI3 RYR2,Litvinukova 2020 Nature,yes
Epithelial cell,epithelial,EPCAM KRT8 KRT18 KRT19 CDH1 CLDN4 ELF3 KRT7,Moll 1982 Cell,yes
Basal epithelial cell,epithelial,KRT5 KRT14 KRT15 TP63 KRT6A DSG3 COL17A1 S100A2,Yang 1999 Nature,yes
Alveolar type 1 cell,epithelial,AGER CLIC5 RTKN2 SPOCK2 HOPX CAV1 EMP2,Travaglini 2020 Nature,yes
Alveolar type 2 cell,epithelial,SFTPC SFTPA1 SFTPA2 SFTPB LAMP3 NAPSA ABCA3 PGC SLC34A2,Travaglini 2020 Nature,yes
Ciliated cell,epithelial,FOXJ1 TPPP3 PIFO CAPS SNTN DNAH5 RSPH1 CCDC78,Travaglini 2020 Nature,yes
Enterocyte,epithelial,FABP1 FABP2 APOA1 APOA4 ALPI VIL1 CA1 SLC26A3 AQP8,Haber 2017 Nature,yes
Goblet cell,epithelial,MUC2 TFF3 SPINK4 FCGBP ZG16 CLCA1 REP15 AGR2,Haber 2017 Nature,yes
Intestinal stem cell,epithelial,LGR5 ASCL2 OLFM4 SMOC2 RGMB AXIN2,Barker 2007 Nature,yes
Hepatocyte,epithelial,ALB APOC3 SERPINA1 CYP3A4 CYP2E1 ASGR1 TF HP TTR,MacParland 2018 Nat Commun,yes
Pancreatic acinar cell,epithelial,PRSS1 CPA1 CTRB1 CELA3A PNLIP AMY2A CPB1 REG1A,Muraro 2016 Cell Syst,yes
Pancreatic beta cell,epithelial,INS IAPP MAFA NKX6-1 PDX1 PCSK1 SLC30A8 G6PC2,Muraro 2016 Cell Syst,yes
Podocyte,epithelial,NPHS1 NPHS2 PODXL WT1 SYNPO PTPRO MAFB,Kestila 1998 Mol Cell,yes
Proximal tubule cell,epithelial,SLC34A1 LRP2 CUBN SLC5A2 SLC22A6 SLC22A8 ALDOB GATM,Park 2018 Science,yes
Melanocyte,melanocytic,MLANA PMEL TYR TYRP1 DCT MITF SOX10,Tirosh 2016 Science,yes
Neuron,neural,SNAP25 SYT1 RBFOX3 STMN2 GAD1 SLC17A7 MAP2 ENO2 SYN1,Cahoy 2008 J Neurosci,yes
Astrocyte,neural,GFAP AQP4 SLC1A2 SLC1A3 ALDH1L1 GJA1 S100B,Cahoy 2008 J Neurosci,yes
Oligodendrocyte,neural,MBP MOG PLP1 MAG MOBP CNP CLDN11,Cahoy 2008 J Neurosci,yes
Oligodendrocyte progenitor,neural,PDGFRA CSPG4 OLIG1 OLIG2 PTPRZ1 SOX10 VCAN,Nishiyama 1996 J Neurosci Res,no
Microglia,myeloid,P2RY12 TMEM119 CX3CR1 SALL1 GPR34 CSF1R OLFML3 HEXB,Butovsky 2014 Nat Neurosci,yes
`;

const markerLists: ListKind<CellTypeMarkers> = {
  folder: 'cell-type-markers',
  noun: 'set of markers',
  entries: 'markers',
  parse: (csv, origin) => {
    const { types, duplicates } = parseMarkers(csv, origin);
    return { entries: types, duplicates };
  },
  abridged: {
    release:
      'well-known markers, written for Cellfolio from primary literature and common knowledge of the field',
    csv: abridgedMarkersCsv,
  },
};

export class MarkerSets extends StoredLists<CellTypeMarkers> {
  constructor(objects: ObjectStore) {
    super(objects, markerLists);
  }
}

export function markerSetAnswer(list: ListHead): MarkerSet {
  const { count, ...head } = headOf(list);
  return { ...head, type_count: count };
}

/** How many of the markers a dataset has; `find`: row in var of a symbol. */
export function markerCoverage(
  listed: readonly CellTypeMarkers[],
  find: (symbol: string) => number | undefined,
) {
  const { types, markers, missing } = resolveMarkers(listed, find, 0);
  const largest = types.reduce((max, { rows }) => Math.max(max, rows.length), 0);
  return { marker_count: markers, found_count: markers - missing, largest_type_count: largest };
}
