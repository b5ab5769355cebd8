import type { PortResult } from './port-failure.js'

/** The object storage that documents were uploaded to beforehand. It is only read, never written to. */
export interface Documents {
  /**
   * Those of the keys (`documentKey`) under which a document is stored now, or was found at most a minute ago. Keys are
   * compared exactly: case, Unicode form, spaces and escapes count. A folder, or the beginning of a key, is no
   * document, and where `isDocumentKey` is false there is none. Any number of keys, repeated ones too, in one call.
   * Either every answer or a failure, within half a minute or so: `unavailable` while the storage cannot be reached or
   * is too slow, `unexpected` where it refuses. After the first failure nothing more is asked. An adapter bounds how
   * many documents it asks for at once over all calls; the others wait, and the organisations that they are asked for
   * take turns.
   */
  existing(keys: readonly string[], organisation: string): PortResult<ReadonlySet<string>>

  /**
   * Whether the storage can be asked now: it answers, lets us in, and has the bucket or folder. Otherwise the failure
   * that `existing` would have. Asks anew each time, and does not wait for the turn of other calls.
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

/** Which documents the data of a supplier's accounts names: what the staged payloads and the created accounts hold. */
export interface DocumentReferences {
  /**
   * The next accounts in order of external account number by Unicode code point, also those that name no document, so
   * that the last one says where the next page begins; none at the end. A staged account, marked to be skipped or not, names
   * what its payload does; a created one what its notes and statements do, those added after its creation included.
   * Paths are as sent, relative to the supplier's document root. Cost does not depend on where the page lies, and memory
   * not on the size of payloads.
   */
  page(request: ReferencesRequest): PortResult<readonly AccountReferences[]>
}
