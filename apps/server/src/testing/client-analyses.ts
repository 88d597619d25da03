import { answerFields, declarations } from '@cellfolio/analyses';

/** What the clients in `clients` are made from beside the OpenAPI document: analyses, with the text columns of their tables. */
export function clientAnalyses() {
  return declarations.map((declaration) => {
    const { id, title, question, path } = declaration;
    const columns = Object.entries(declaration.table);
    const texts = columns.filter(([, { kind }]) => kind === 'text' || kind === 'genes').map(([name]) => name);
    return { id, title, question, path, table: answerFields(declaration).table, texts };
  });
}
