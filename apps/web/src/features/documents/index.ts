export { DocumentMenu, DocumentRow, ListFailure, ListState } from './document-list.tsx';
export { type DocumentKind, type Documents, documentsQuery, useDocuments } from './use-documents.ts';
