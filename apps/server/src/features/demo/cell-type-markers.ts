/** The ten cell types of the product, in the order of its palette. */
export const cellTypes = [
  'B cell',
  'Endothelial',
  'Epithelial',
  'Fibroblast',
  'Macrophage',
  'Mast',
  'Monocyte',
  'NK',
  'Plasma',
  'T cell',
] as const;
export type CellType = (typeof cellTypes)[number];

const list = (text: string): readonly string[] => text.split(' ');

/**
 * Genes that tell a cell type from the nine others, strongest first, as the literature names them. A gene may
 * mark two related types.
 */
export const cellTypeMarkers: Readonly<Record<CellType, readonly string[]>> = {
  'B cell': list(
    'CD79A MS4A1 CD79B CD19 BANK1 CD22 TNFRSF13C VPREB3 FCRLA BLK PAX5 CD37 HLA-DRA CD74 HLA-DQA1 LY9 SPIB FCRL1 IGHM IGHD IGKC POU2F2',
  ),
  Endothelial: list(
    'PECAM1 VWF CLDN5 CDH5 RAMP2 PLVAP EMCN ENG ESAM EGFL7 CLEC14A FLT1 KDR TIE1 ERG ROBO4 AQP1 SPARCL1 RAMP3 CAVIN2 TM4SF1 IGFBP7',
  ),
  Epithelial: list(
    'EPCAM KRT8 KRT18 KRT19 CLDN4 CLDN7 CDH1 ELF3 CLDN3 SPINT2 KRT7 TACSTD2 MUC1 CD24 AGR2 ESRP1 PERP DSP LCN2 WFDC2 FXYD3 JUP',
  ),
  Fibroblast: list(
    'COL1A1 COL1A2 DCN LUM COL3A1 COL6A1 COL6A2 COL6A3 FBLN1 C1S C1R THY1 PDGFRA PDGFRB BGN SPARC MGP SFRP2 CTSK POSTN AEBP1 TAGLN',
  ),
  Macrophage: list(
    'CD68 C1QA C1QB C1QC CD163 MRC1 APOE APOC1 MSR1 SPP1 GPNMB TREM2 CTSD CTSB LGMN MS4A7 CSF1R VSIG4 FOLR2 AIF1 TYROBP FCER1G HLA-DRA CD74 LYZ CST3 CTSS CD14',
  ),
  Mast: list('TPSAB1 TPSB2 CPA3 KIT MS4A2 HDC HPGDS GATA2 SLC18A2 RGS13 LTC4S CTSG TPSD1 SIGLEC6 VWA5A'),
  Monocyte: list(
    'LYZ S100A8 S100A9 FCN1 CD14 S100A12 VCAN CSF3R MNDA CST3 TYROBP FCER1G AIF1 SERPINA1 LST1 CTSS CYBB CD36 CLEC7A LILRB2',
  ),
  NK: list(
    'GNLY NKG7 KLRD1 NCAM1 PRF1 GZMB KLRF1 FGFBP2 SPON2 XCL1 XCL2 KLRC1 NCR1 FCER1G TYROBP CTSW KLRB1 CST7 SH2D1B HOPX',
  ),
  Plasma: list(
    'MZB1 JCHAIN SDC1 IGHG1 IGKC IGHA1 IGLC2 DERL3 XBP1 TNFRSF17 FKBP11 SSR4 PRDM1 IGHG3 POU2AF1 SEC11C CD38 FCRL5 IGLC3 CD79A SPAG4 IGHG4',
  ),
  'T cell': list(
    'CD3D CD3E CD2 TRAC CD3G TRBC1 TRBC2 IL7R CD5 CD6 LCK CD7 CD247 ITK TRAT1 THEMIS SIT1 CD27 CD28 BCL11B',
  ),
};
