import { type InteractionPair, parsePairs, resolvePairs } from '@cellfolio/analysis';
import type { ListHead, PairSet } from '@cellfolio/analyses';
import type { ObjectStore } from '@cellfolio/store';
import { headOf, type ListKind, StoredLists } from './stored-lists.ts';

/**
 * Well-known human ligands and receptors, each with the work that showed that they bind or act together: a starting
 * set, far from complete. Written from these works; complexes as described there.
 */
const abridgedPairsCsv = `ligand,receptor,reference
CXCL12,CXCR4,Bleul 1996 Nature
CXCL12,ACKR3,Balabanian 2005 J Biol Chem
CXCL13,CXCR5,Legler 1998 J Exp Med
CXCL8,CXCR1,Holmes 1991 Science
CXCL8,CXCR2,Murphy 1991 Science
CXCL9,CXCR3,Loetscher 1996 J Exp Med
CXCL10,CXCR3,Loetscher 1996 J Exp Med
CXCL11,CXCR3,Cole 1998 J Exp Med
CXCL16,CXCR6,Matloubian 2000 Nat Immunol
CX3CL1,CX3CR1,Imai 1997 Cell
CCL2,CCR2,Charo 1994 PNAS
CCL3,CCR1,Neote 1993 Cell
CCL5,CCR1,Neote 1993 Cell
CCL3,CCR5,Samson 1996 Biochemistry
CCL4,CCR5,Samson 1996 Biochemistry
CCL5,CCR5,Samson 1996 Biochemistry
CCL17,CCR4,Imai 1997 J Biol Chem
CCL22,CCR4,Imai 1998 J Biol Chem
CCL19,CCR7,Yoshida 1997 J Biol Chem
CCL21,CCR7,Yoshida 1998 J Biol Chem
CCL20,CCR6,Baba 1997 J Biol Chem
CD274,PDCD1,Freeman 2000 J Exp Med
PDCD1LG2,PDCD1,Latchman 2001 Nat Immunol
CD80,CD28,Linsley 1991 J Exp Med
CD80,CTLA4,Linsley 1991 J Exp Med
CD86,CD28,Azuma 1993 Nature
CD86,CTLA4,Azuma 1993 Nature
ICOSLG,ICOS,Yoshinaga 1999 Nature
LGALS9,HAVCR2,Zhu 2005 Nat Immunol
PVR,TIGIT,Yu 2009 Nat Immunol
PVR,CD226,Bottino 2003 J Exp Med
NECTIN2,CD226,Bottino 2003 J Exp Med
NECTIN2,PVRIG,Zhu 2016 J Exp Med
TNFRSF14,BTLA,Sedy 2005 Nat Immunol
CD47,SIRPA,Jiang 1999 J Biol Chem
CD200,CD200R1,Wright 2000 Immunity
CD58,CD2,Selvaraj 1987 Nature
MICA,KLRK1,Bauer 1999 Science
HLA-E,KLRD1+KLRC1,Braud 1998 Nature
TNF,TNFRSF1A,Loetscher 1990 Cell
TNF,TNFRSF1B,Smith 1990 Science
LTA+LTB,LTBR,Crowe 1994 Science
TNFSF14,TNFRSF14,Mauri 1998 Immunity
TNFSF14,LTBR,Mauri 1998 Immunity
FASLG,FAS,Suda 1993 Cell
TNFSF10,TNFRSF10A,Pan 1997 Science
TNFSF10,TNFRSF10B,Walczak 1997 EMBO J
TNFSF11,TNFRSF11A,Anderson 1997 Nature
CD40LG,CD40,Armitage 1992 Nature
CD70,CD27,Goodwin 1993 Cell
TNFSF9,TNFRSF9,Goodwin 1993 Eur J Immunol
TNFSF4,TNFRSF4,Godfrey 1994 J Exp Med
TNFSF13B,TNFRSF13C,Thompson 2001 Science
TNFSF13B,TNFRSF13B,Gross 2000 Nature
TNFSF13B,TNFRSF17,Gross 2000 Nature
IL1B,IL1R1+IL1RAP,Greenfeder 1995 J Biol Chem
IL18,IL18R1+IL18RAP,Born 1998 J Biol Chem
IL33,IL1RL1+IL1RAP,Chackerian 2007 J Immunol
IL2,IL2RA+IL2RB+IL2RG,Takeshita 1992 Science
IL4,IL4R+IL2RG,Russell 1993 Science
IL7,IL7R+IL2RG,Noguchi 1993 Science
IL13,IL13RA1+IL4R,Hilton 1996 PNAS
IL15,IL15RA+IL2RB+IL2RG,Giri 1995 EMBO J
IL6,IL6R+IL6ST,Hibi 1990 Cell
LIF,LIFR+IL6ST,Gearing 1992 Science
OSM,OSMR+IL6ST,Mosley 1996 J Biol Chem
IL10,IL10RA+IL10RB,Kotenko 1997 EMBO J
IL12A+IL12B,IL12RB1+IL12RB2,Presky 1996 PNAS
IL23A+IL12B,IL12RB1+IL23R,Parham 2002 J Immunol
IL17A,IL17RA+IL17RC,Toy 2006 J Immunol
IFNG,IFNGR1+IFNGR2,Soh 1994 Cell
CSF1,CSF1R,Sherr 1985 Cell
IL34,CSF1R,Lin 2008 Science
CSF2,CSF2RA+CSF2RB,Hayashida 1990 PNAS
KITLG,KIT,Huang 1990 Cell
FLT3LG,FLT3,Lyman 1993 Cell
MIF,CD74,Leng 2003 J Exp Med
SPP1,CD44,Weber 1996 Science
APOE,LRP1,Beisiegel 1989 Nature
APOE,TREM2,Atagi 2015 J Biol Chem
GAS6,AXL,Varnum 1995 Nature
TGFB1,TGFBR1+TGFBR2,Wrana 1992 Cell
VEGFA,FLT1,de Vries 1992 Science
VEGFA,KDR,Terman 1992 Biochem Biophys Res Commun
VEGFA,NRP1,Soker 1998 Cell
ANGPT1,TEK,Davis 1996 Cell
EGF,EGFR,Ullrich 1984 Nature
AREG,EGFR,Shoyab 1989 Science
HBEGF,EGFR,Higashiyama 1991 Science
NRG1,ERBB2+ERBB3,Sliwkowski 1994 J Biol Chem
HGF,MET,Bottaro 1991 Science
PDGFB,PDGFRB,Gronwald 1988 PNAS
JAG1,NOTCH1,Lindsell 1995 Cell
DLL4,NOTCH1,Shutter 2000 Genes Dev
ICAM1,ITGAL+ITGB2,Marlin 1987 Cell
ICAM1,ITGAM+ITGB2,Diamond 1990 J Cell Biol
VCAM1,ITGA4+ITGB1,Elices 1990 Cell
FN1,ITGA5+ITGB1,Pytela 1985 Cell
CDH1,ITGAE+ITGB7,Cepek 1994 Nature
SELPLG,SELP,Sako 1993 Cell
`;

const pairLists: ListKind<InteractionPair> = {
  folder: 'ligand-receptor-pairs',
  noun: 'set of pairs',
  entries: 'pairs',
  parse: (csv, origin) => {
    const { pairs, duplicates } = parsePairs(csv, origin);
    return { entries: pairs, duplicates };
  },
  abridged: {
    release: 'well-known pairs, written for Cellfolio from primary literature',
    csv: abridgedPairsCsv,
  },
};

export class PairSets extends StoredLists<InteractionPair> {
  constructor(objects: ObjectStore) {
    super(objects, pairLists);
  }
}

export function pairSetAnswer(list: ListHead): PairSet {
  const { count, ...head } = headOf(list);
  return { ...head, pair_count: count };
}

/** How many of the pairs have both genes; `find`: row in var of a symbol. */
export function pairCoverage(
  pairs: readonly InteractionPair[],
  find: (symbol: string) => number | undefined,
) {
  return { found_count: resolvePairs(pairs, find).pairs.length };
}
