import { folderDocuments, minioDocuments } from '@account-import/adapter-object-storage'
import { type Clock, type Documents, type PortFailure, rememberedDocuments } from '@account-import/core'
import { pipe, TE } from '@account-import/core/adapter-kit'
import { ContainerModule } from 'inversify'
import type { DocumentStorageUrl } from '../config/urls.js'
import type { ServerConfig } from '../config/server-config.js'
import { StartError } from '../start-error.js'
import { portIds } from './port-ids.js'

type Bucket = Extract<DocumentStorageUrl, { kind: 'bucket' }>

const inBucket = ({ endpoint, accessKey, secretKey, bucket, region }: Bucket): Documents => {
  const { protocol, hostname, port } = new URL(endpoint)
  return minioDocuments({
    endPoint: hostname.replace(/^\[|\]$/g, ''),
    ...(port === '' ? {} : { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey,
    secretKey,
    bucket,
    ...(region === undefined ? {} : { region }),
  })
}

const documentsIn = (storage: DocumentStorageUrl): Documents => {
  if (storage.kind === 'folder') return folderDocuments(storage.path)
  try {
    return inBucket(storage)
  } catch (cause) {
    throw new StartError(
      'document_storage_not_usable',
      'The host that DOCUMENT_STORAGE_URL names cannot be used. Check it.',
      cause,
    )
  }
}

/** Called when the document storage failed, which a check that only warns would hide: its request succeeds. */
export type OnDocumentFailure = (failure: PortFailure) => void

/** The same documents; every failure to look for some is told before it is passed on. */
const watchedDocuments = (documents: Documents, onFailure?: OnDocumentFailure): Documents => ({
  ...documents,
  existing: (keys, organisation) =>
    pipe(
      documents.existing(keys, organisation),
      TE.tapError((failure) => TE.fromIO(() => onFailure?.(failure))),
    ),
})

/**
 * Binds the documents to the configured storage; what was found is remembered for a minute. `onFailure` is told of
 * every call that fails.
 */
export const documentsModule = (config: ServerConfig, onFailure?: OnDocumentFailure): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.documents)
      .toResolvedValue(
        (clock: Clock) =>
          rememberedDocuments(watchedDocuments(documentsIn(config.documentStorage), onFailure), clock),
        [portIds.clock],
      )
      .inSingletonScope()
  })
