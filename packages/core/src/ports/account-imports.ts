import type { AccountImport, AccountKey, ImportRefusal, ImportSummary } from '../domain/account-import.js'
import type { Actor } from '../domain/audit-entry.js'
import type { Instant } from '../values/instant.js'
import type { AccountsPageRequest } from './accounts.js'
import type { PortFailure, PortResult } from './port-failure.js'

/**
 * `payload`: the JSON text of the validated account; it is kept and given back exactly as it is. `supplierRevision`: what
 * the account was validated by; absent where that does not matter. `by`: who stages it, for the record; here and below
 * `unnamedActor` when absent. `importRun`: the id of the run that stages it, kept until the account is staged again.
 */
export type Staging = Readonly<{
  key: AccountKey
  payload: string
  at: Instant
  supplierRevision?: string
  by?: Actor | undefined
  importRun?: string | undefined
}>

export type StageOutcome =
  | Readonly<{ _tag: 'created' | 'replaced'; version: number }>
  | Readonly<{ _tag: 'supplier_changed' }>
  | Readonly<{ _tag: 'failed'; failure: PortFailure }>
  | ImportRefusal

export type ClaimRequest = Readonly<{
  key: AccountKey
  /** Unique to this attempt: `Secrets.generate`. */
  token: string
  at: Instant
  expiresAt: Instant
  /** False for a dry run. */
  countsAsAttempt: boolean
  /** A revision of the supplier, and a team that the organisation may name (`OperationsTeams.exists`). */
  precondition?: Readonly<{ supplierRevision: string; operationsTeam: string }>
}>

export type ClaimOutcome =
  | Readonly<{ _tag: 'claimed'; version: number; payload: string }>
  | Readonly<{ _tag: 'not_staged' }>
  | Readonly<{ _tag: 'over_limit' }>
  | Readonly<{ _tag: 'precondition_failed' }>
  | ImportRefusal

/** Data that an account is compared with. `payload`: its JSON text; absent for the data that is staged. */
export type ComparedData = Readonly<{ key: AccountKey; payload?: string }>

export type Completion = Readonly<{
  key: AccountKey
  token: string
  platformAccountNumber: string
  at: Instant
  by?: Actor | undefined
}>

export type ClaimRelease = Readonly<{
  key: AccountKey
  token: string
  /** Recorded on the import as its latest failure; absent when nothing failed (a dry run). */
  failure?: Readonly<{ code: string; at: Instant }>
  by?: Actor | undefined
}>

/** `all`: staged data or an account; `pending`: staged or in progress, not skipped; `imported`: created. */
export type AccountImportList = 'all' | 'pending' | 'imported'

export type PageRequest = Readonly<{
  organisation: string
  importSupplier: string
  list: AccountImportList
  /** Only numbers after this one. */
  after: string | undefined
  /** 1 to 1001: one more than the longest page, to know whether there is a next. */
  limit: number
}>

export type AccountImportListItem = Readonly<{
  externalAccountNumber: string
  platformAccountNumber: string | undefined
  accountCreatedAt: Instant | undefined
}>

export type StagedImport = Readonly<{
  externalAccountNumber: string
  /** When its data was staged for the first time; staging it again does not change that. */
  firstStagedAt: Instant
}>

export type StagedPageRequest = Readonly<{
  organisation: string
  importSupplier: string
  /** Only imports that were first staged at this instant or before. */
  until: Instant
  /** Only imports after this one; absent for the first page. */
  after?: StagedImport
  /** 1 to 1000. */
  limit: number
}>

/** Data as it was staged, the JSON text. */
export type StagedPayload = Readonly<{ externalAccountNumber: string; payload: string }>

/**
 * The processes of all pairs. It records its changes except claims (`AuditTrail`), in the same transaction: stagings,
 * creations, failures, marks. Every operation that takes a list answers one outcome per item, in the order of
 * the list; keys in one list are distinct.
 */
export interface AccountImports {
  find(key: AccountKey): PortResult<AccountImport | undefined>

  /**
   * Stores the payloads, for the first time or again. Each item is atomic, also against every other operation: of two
   * stagings of one key one comes first, and their data is never mixed. Refused items change nothing. A claim that
   * has expired does not refuse staging; it ends. A staging with a `supplierRevision` is decided only if the supplier has
   * that revision at a moment after the call began; else, before any refusal, it is `supplier_changed`. An item that could not be
   * staged, such as one whose row somebody keeps locked, is `failed` and fails no other; it may have been staged nevertheless. Left: none could, for one reason.
   */
  stage(stagings: readonly Staging[]): PortResult<readonly StageOutcome[]>

  /** The staged payload exactly as it was staged, with its version; undefined once it was removed. */
  staged(key: AccountKey): PortResult<Readonly<{ version: number; payload: string }> | undefined>

  /**
   * Whether each account was created from that data: the same values (`isSameJson`), or, once its payload was removed, the
   * same text. Undefined where there is no account, or it was erased.
   */
  sameData(compared: readonly ComparedData[]): PortResult<readonly (boolean | undefined)[]>

  /**
   * Takes the right to create each account; at most one live claim exists for a key. With `limit`, at most so
   * many live claims exist at once in the whole service, however many processes take them. Expired claims are
   * taken over. The outcome holds the staged data, which cannot change while the claim is live. With several reasons not to
   * take a claim, a refusal is the outcome before `not_staged`, and that before `over_limit`; neither counts an attempt. A
   * claim with a `precondition` is decided only if the precondition holds in this store at a moment after the call began;
   * else, before any refusal, the outcome is `precondition_failed`.
   */
  claim(requests: readonly ClaimRequest[], limit?: number): PortResult<readonly ClaimOutcome[]>

  /**
   * Marks the imports created, ends their claims and forgets their latest failures, each only if its claim is still
   * the one named: otherwise `claim_lost`, and nothing changes. To be called inside the unit of work that creates the
   * accounts.
   */
  complete(completions: readonly Completion[]): PortResult<readonly ('completed' | 'claim_lost')[]>

  /** Ends the claims that are still the ones named, and records failures. For a lost claim nothing changes. */
  release(releases: readonly ClaimRelease[]): PortResult<void>

  /** In order of external account number by Unicode code point. Cost does not depend on where the page lies. */
  page(request: PageRequest): PortResult<readonly AccountImportListItem[]>

  /**
   * The imports that are staged, neither skipped nor created; those under a live claim are among them. Oldest first:
   * by when they were first staged, then by number in order of code point. Cost depends neither on where the page lies
   * nor on how many imports there are.
   */
  stagedPage(request: StagedPageRequest): PortResult<readonly StagedImport[]>

  /**
   * The payloads of imports that are staged, neither skipped nor created. In order of external account number by Unicode code
   * point. Cost does not depend on where the page lies.
   */
  stagedPayloads(request: AccountsPageRequest): PortResult<readonly StagedPayload[]>

  /** Counts the imports of a supplier as they are at the instant, in one look: no import is missed or counted twice. */
  summary(organisation: string, importSupplier: string, at: Instant): PortResult<ImportSummary>

  /**
   * Marks the pair to be skipped, or removes the mark. A pair that is not known yet becomes known when it is
   * marked. `already_imported` when its account exists, `in_progress` under a live claim; both change nothing. A
   * claim that has expired ends when the mark changes.
   */
  setSkipped(
    key: AccountKey,
    skipped: boolean,
    at: Instant,
    by?: Actor,
  ): PortResult<'changed' | 'unchanged' | 'already_imported' | 'in_progress'>
}
