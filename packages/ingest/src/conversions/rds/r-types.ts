/** Types of a serialised object, named as in "R Internals", section 1.8, without `SXP`. */
export const type = {
  NIL: 0,
  SYM: 1,
  LIST: 2,
  CLO: 3,
  ENV: 4,
  PROM: 5,
  LANG: 6,
  SPECIAL: 7,
  BUILTIN: 8,
  CHAR: 9,
  LGL: 10,
  INT: 13,
  REAL: 14,
  CPLX: 15,
  STR: 16,
  DOT: 17,
  VEC: 19,
  EXPR: 20,
  BCODE: 21,
  EXTPTR: 22,
  WEAKREF: 23,
  RAW: 24,
  S4: 25,
  ALTREP: 238,
  ATTRLIST: 239,
  ATTRLANG: 240,
  BASEENV: 241,
  EMPTYENV: 242,
  BCREPREF: 243,
  BCREPDEF: 244,
  BASENAMESPACE: 247,
  PERSIST: 248,
  PACKAGE: 249,
  NAMESPACE: 250,
  MISSINGARG: 251,
  UNBOUND: 252,
  GLOBALENV: 253,
  NILVALUE: 254,
  REF: 255,
} as const;

export const hasAttributes = 0x200;
export const hasTag = 0x400;
/** String encoding flags: Latin-1 and UTF-8. Without either, text is in the encoding of the machine that wrote it. */
export const latin1 = 1 << (12 + 2);
export const utf8 = 1 << (12 + 3);

export const pairTypes: ReadonlySet<number> = new Set([
  type.LIST,
  type.LANG,
  type.CLO,
  type.PROM,
  type.DOT,
  type.ATTRLIST,
  type.ATTRLANG,
]);
