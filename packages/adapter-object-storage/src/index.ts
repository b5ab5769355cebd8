export { DocumentStorageError } from './document-storage-error.js'
export { folderDocuments } from './folder-documents.js'
export { minioDocuments } from './minio-documents.js'
export type { MinioDocumentsOptions } from './minio-documents.js'
