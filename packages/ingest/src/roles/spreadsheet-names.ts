import { type Caution, countText, listedNames } from '@cellfolio/model';

/** Months that spreadsheets make of gene families, in English, German, French and Spanish. */
const months: readonly (readonly [month: number, words: RegExp])[] = [
  [3, /^(mar|march|mrz|märz|mars|mär|marzo)$/],
  [9, /^(sep|sept|september|septembre|septiembre)$/],
  [10, /^(oct|okt|october|oktober|octobre|octubre)$/],
  [12, /^(dec|dez|december|dezember|déc|décembre|dic|diciembre)$/],
];

/**
 * Genes whose symbols are read as a date, by month and day: the approved symbol and the damaged one. HGNC renamed them
 * in 2020 for that reason (doi:10.1038/s41588-020-0669-3); aliases it never approved are POU5F1 (OCT4) and BHLHE41
 * (DEC2).
 */
function genesOfDate(month: number, day: number): readonly string[] {
  switch (month) {
    case 3:
      return [
        ...(day <= 11 ? [`MARCHF${day} (MARCH${day})`] : []),
        ...(day <= 2 ? [`MTARC${day} (MARC${day})`] : []),
      ];
    case 9:
      if (day === 13) return ['SEPTIN7P2 (SEPT13)'];
      if (day === 15) return ['SELENOF (SEP15)'];
      return day <= 14 ? [`SEPTIN${day} (SEPT${day})`] : [];
    case 10:
      return day === 4 ? ['POU5F1 (OCT4)'] : [];
    case 12:
      return day === 1 ? ['DELEC1 (DEC1)'] : day === 2 ? ['BHLHE41 (DEC2)'] : [];
    default:
      return [];
  }
}

interface Reading {
  genes: readonly string[];
  /** Whether every name of this form is damaged; a five-digit number is a date only among symbols. */
  sure: boolean;
}

/** A year, or the suffix of a repeated name, may follow. */
const dayAndMonth = /^(\d{1,2})[-. /]{1,2}(\p{L}{3,10})\.?([-_. /]\d{1,4})?$/u;
/** English only: `MARS-1` may be the second row of the gene MARS. */
const monthAndDay = /^(Mar|Sept?|Oct|Dec)[-. /](\d{1,2})([-_]\d{1,4})?$/i;
const isoDate = /^(\d{4})-(\d{2})-(\d{2})([ T]00:00(:00)?)?([-_]\d{1,4})?$/;
const numericDate = /^(\d{1,2})(?:\/(\d{1,2})\/(?:\d{4}|\d{2})|\.(\d{1,2})\.\d{4})([-_]\d{1,4})?$/;
const serialDate = /^([34]\d{4})([-_]\d{1,4})?$/;
const scientific = /^(\d)(?:[.,](\d{1,6}))?E\+(\d{1,2})([-_]\d{1,4})?$/i;

/** Name before a spreadsheet converted it to a date or number; undefined for other names. */
function beforeSpreadsheet(name: string): Reading | undefined {
  const written = dayAndMonth.exec(name);
  if (written !== null) return ofMonth(written[2]!, Number(written[1]));
  const reversed = monthAndDay.exec(name);
  if (reversed !== null) return ofMonth(reversed[1]!, Number(reversed[2]));
  const iso = isoDate.exec(name);
  if (iso !== null) {
    const [year, month, day] = [Number(iso[1]), Number(iso[2]), Number(iso[3])];
    // The number may have been taken for the year: 2002-03-01 of MARCH2.
    const byYear = day === 1 && year > 2001 && year <= 2015 ? genesOfDate(month, year - 2000) : [];
    return damaged([...genesOfDate(month, day), ...byYear]);
  }
  const numeric = numericDate.exec(name);
  if (numeric !== null) {
    const [one, other] = [Number(numeric[1]), Number(numeric[2] ?? numeric[3])];
    return damaged([...genesOfDate(one, other), ...(one === other ? [] : genesOfDate(other, one))]);
  }
  const serial = serialDate.exec(name);
  if (serial !== null) {
    const genes = ofSerial(Number(serial[1]));
    return genes.length > 0 ? { genes, sure: false } : undefined;
  }
  const power = scientific.exec(name);
  return power === null ? undefined : ofPower(power);
}

function ofMonth(word: string, day: number): Reading | undefined {
  const month = months.find(([, words]) => words.test(word.toLowerCase()))?.[0];
  return month === undefined || day === 0 ? undefined : damaged(genesOfDate(month, day));
}

function damaged(genes: readonly string[]): Reading | undefined {
  return genes.length > 0 ? { genes, sure: true } : undefined;
}

const dayMilliseconds = 86_400_000;
/** Earlier spreadsheets do not contain single-cell data. */
const firstYear = 2005;
const lastYear = 2035;

/** Days since the end of 1899, or since 1904 in spreadsheets from old Macs; the likelier first. */
function ofSerial(days: number): readonly string[] {
  return [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)].flatMap((start) => {
    const date = new Date(start + days * dayMilliseconds);
    const year = date.getUTCFullYear();
    if (year < firstYear || year > lastYear) return [];
    return genesOfDate(date.getUTCMonth() + 1, date.getUTCDate());
  });
}

/** RIKEN clones have seven digits, a row letter and two column digits: 2310009E13Rik. */
function ofPower([, first, more = '', exponent]: RegExpExecArray): Reading {
  const digits = `${first}${more}`;
  const column = Number(exponent) - 6;
  const isClone = digits.length <= 7 && column >= 0 && column <= 24;
  return {
    genes: isClone
      ? [`a clone of RIKEN such as ${digits.padEnd(7, '0')}E${String(column).padStart(2, '0')}Rik`]
      : ['a name of digits and an E'],
    sure: true,
  };
}

/** Maximum share of numeric names at which a five-digit number is taken for damage rather than an identifier. */
const maxNumbers = 0.05;

export function spreadsheetCautions(names: readonly string[]): Caution[] {
  const numbers = names.reduce((count, name) => count + (/^\d+$/.test(name) ? 1 : 0), 0);
  const amongSymbols = numbers <= Math.max(1, maxNumbers * names.length) && 2 * numbers < names.length;
  const changedNames = names.flatMap((name) => {
    const reading = beforeSpreadsheet(name);
    return reading !== undefined && (reading.sure || amongSymbols) ? [{ name, genes: reading.genes }] : [];
  });
  if (changedNames.length === 0) return [];
  const listed = listedNames(
    changedNames.map(({ name, genes }) => `${name} (${genes.join(' or ')})`),
    maxNamed,
    120,
  );
  const one = changedNames.length === 1;
  const unclear = changedNames.some(({ genes }) => genes.length > 1)
    ? ' Where there are several, the name does not show which.'
    : '';
  return [
    {
      code: 'spreadsheet-names',
      message: `${countText(changedNames.length)} gene${one ? ' has a name' : 's have names'} that a spreadsheet made of a symbol, here with what ${one ? 'it was' : 'each was'}: ${listed}.${unclear} The values are kept under these names, by which no list of genes finds them. Correct the names in the file, or export it again without a spreadsheet.`,
      numbers: {
        genes: changedNames.length,
        names: changedNames.slice(0, maxNamed).map(({ name }) => name),
        was: changedNames.slice(0, maxNamed).map(({ genes }) => genes.join(' or ')),
      },
    },
  ];
}

const maxNamed = 20;
