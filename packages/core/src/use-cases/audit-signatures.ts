import type { AuditEntry } from '../domain/audit-entry.js'
import type { Either, TaskEither } from '../fp.js'
import type { AuditFilter, ChainHead, Sealing } from '../ports/audit-trail.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { OperatorRefusal } from './errors.js'
import type { UseCaseResult } from './use-case-result.js'

/** As `AuditFilter`; without organisation and supplier, the entries of all organisations and of none. */
export type WantedEntries = Omit<AuditFilter, 'organisation'> &
  Readonly<{ organisation?: string | undefined }>

/** An entry, with its number and hash once it is sealed. */
export type ListedEntry = Readonly<{ entry: AuditEntry; sequence?: number; hash?: string }>

/** The end of a chain as it was once told, of all of which at least the hash is known. */
export type KnownHead = Readonly<{
  organisation?: string | undefined
  sequence?: number | undefined
  hash: string
}>

/**
 * What is wrong with a chain. `entries_missing`: so many from that number on; `entry_changed`: the entry is not what was
 * sealed; `key_missing`: entries were sealed with a key that is not there, the first of them this one, so that nobody knows whether
 * they were changed (once for each key, which is named by its id); `head_missing`: what was the end of a chain once is in none any more: the chain was
 * cut, or made anew.
 */
export type ChainBreak =
  | Readonly<{ kind: 'entries_missing'; organisation: string; sequence: number; entries: number }>
  | Readonly<{ kind: 'entry_changed'; organisation: string; sequence: number }>
  | Readonly<{ kind: 'key_missing'; organisation: string; sequence: number; key: string }>
  | (Readonly<{ kind: 'head_missing' }> & KnownHead)

/** What was found out about the next entries; `organisation` is undefined for heads that are in no chain. */
export type ChainChecked = Readonly<{
  organisation: string | undefined
  entries: number
  breaks: readonly ChainBreak[]
}>

/** The record of what was done. */
export type AuditUseCases = Readonly<{
  /** Seals about `limit` (1 to 1000) entries; to be called every few seconds, by whoever uses the service without its server. */
  seal(limit: number): UseCaseResult<never, Sealing>
  /** Page by page; a Left ends the iteration. */
  list(
    wanted: WantedEntries,
  ): UseCaseResult<OperatorRefusal, AsyncIterable<Either<PortFailure, readonly ListedEntry[]>>>
  /** The ends of all chains. Kept where nobody who may write to the database can, they show later that nothing was cut off. */
  heads(): UseCaseResult<never, readonly ChainHead[]>
  /** Goes over all chains, or over one, in constant memory; a Left ends the iteration. `heads`: ends that have to be in them. */
  verify(
    input: Readonly<{ organisation?: string | undefined; heads: readonly KnownHead[] }>,
  ): UseCaseResult<never, AsyncIterable<Either<PortFailure, ChainChecked>>>
  /**
   * Does what an operator asks for and no use case does, recorded as the operator's use cases are: an entry with this name before it
   * begins, without which it does not, and one of how it ended.
   */
  recorded<R extends Readonly<{ _tag: string }>, A>(
    name: string,
    work: TaskEither<R | PortFailure, A>,
  ): UseCaseResult<R, A>
}>
