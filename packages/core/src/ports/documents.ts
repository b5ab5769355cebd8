import type { PortResult } from './port-failure.js'

/** The object storage that documents were uploaded to beforehand. The service only reads it. */
export interface Documents {
  /**
   * Those of the keys (`documentKey`) under which a document is stored now, or was found at most a minute ago. Keys are
   * compared exactly: case, Unicode form, spaces and escapes count. A folder, or the beginning of a key, is no document,
   * and keys for which `isDocumentKey` is false have none. Any number of keys, repeated ones too, in one call. Either
   * every answer or a failure, within about half a minute: `unavailable` if the storage cannot be reached or is too slow,
   * `unexpected` if it refuses. After the first failure no further request is sent. An adapter bounds its concurrent
   * requests over all calls; the others wait in a fair queue by organisation.
   */
  existing(keys: readonly string[], organisation: string): PortResult<ReadonlySet<string>>

  /**
   * Whether the storage is ready: it responds, accepts the credentials, and has the bucket or folder. Otherwise the failure
   * that `existing` would have. Sends a request on each call, without waiting in the queue.
   */
  ready(): PortResult<void>
}

export type ReferencesRequest = Readonly<{
  organisation: string
  importSupplier: string
  /** Only numbers after this one. */
  after: string | undefined
  /** 1 to 500. */
  limit: number
}>

/** An account, staged or created, and the document paths that its data names, each once, in no order. */
export type AccountReferences = Readonly<{
  externalAccountNumber: string
  /** Undefined until the account is created. */
  platformAccountNumber: string | undefined
  paths: readonly string[]
}>

/** The documents that a supplier's staged payloads and created accounts name. */
export interface DocumentReferences {
  /**
   * The next accounts in order of external account number by Unicode code point, also those that name no document, so that the
   * last one is the key of the next page; an empty page at the end. The paths of a staged account, marked to be skipped or not,
   * are those of its payload; the paths of a created one those of its notes and statements, also of added ones. Paths are as
   * sent, relative to the supplier's document root. The cost does not depend on the position of the page, nor memory on the size
   * of payloads.
   */
  page(request: ReferencesRequest): PortResult<readonly AccountReferences[]>
}
