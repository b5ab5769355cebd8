export { DocumentStorageError } from './storage-call.js'
export { folderDocuments, type FolderDocumentsOptions } from './folder-documents.js'
export { minioDocuments, type MinioDocumentsOptions } from './minio-documents.js'
