export { DocumentStorageError } from './storage-call.js'
export { folderDocuments } from './folder-documents.js'
export { minioDocuments, type MinioDocumentsOptions } from './minio-documents.js'
