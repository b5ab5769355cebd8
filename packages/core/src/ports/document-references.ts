import type { PortResult } from './port-failure.js'

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
