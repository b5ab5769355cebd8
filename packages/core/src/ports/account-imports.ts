import type { AccountImport, AccountKey, ImportRefusal, ImportSummary } from '../domain/account-import.js'
import type { Actor } from '../domain/audit-entry.js'
import type { Instant } from '../values/instant.js'
import type { AccountsPageRequest } from './accounts.js'
import type { PortFailure, PortResult } from './port-failure.js'

/**
 * `payload`: the JSON text of the validated account, stored and returned unchanged. `supplierRevision`: the revision of the
 * supplier that the account was validated by; staging does not check it when absent. `by`: the actor for the audit log; here and
 * below `unnamedActor` when absent. `importRun`: the id of the run that stages it, kept until the account is staged again.
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
  /** The store can never take an account of this size: it takes statements of at most `limitBytes`. */
  | Readonly<{ _tag: 'too_large'; limitBytes: number }>
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

/** Data that an account is compared with. `payload`: its JSON text; the staged data when absent. */
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
  /** Stored on the import as its latest failure; absent for a dry run. */
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
  /** 1 to 1001: one more than the longest page, to find whether there is a next. */
  limit: number
}>

export type AccountImportListItem = Readonly<{
  externalAccountNumber: string
  platformAccountNumber: string | undefined
  accountCreatedAt: Instant | undefined
}>

export type StagedImport = Readonly<{
  externalAccountNumber: string
  /** The time of its first staging; staging it again does not change it. */
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

/** The JSON text of staged data. */
export type StagedPayload = Readonly<{ externalAccountNumber: string; payload: string }>

/**
 * All account imports. The store records its changes except claims (`AuditTrail`), in the same transaction: stagings,
 * creations, failures, marks. Every operation with a list returns one outcome per item, in the order of the list; the keys in one
 * list must be distinct.
 */
export interface AccountImports {
  find(key: AccountKey): PortResult<AccountImport | undefined>

  /**
   * Stores the payloads, for the first time or again. Each item is atomic, also against every other operation: two stagings of
   * one key happen one after the other, and their data is never mixed. Refused items change nothing. An expired claim does not
   * refuse staging; it ends. A staging with a `supplierRevision` is decided only if the supplier has that revision at a moment
   * after the call began; else it is `supplier_changed`, before any refusal. An item that could not be staged, for example
   * because another transaction has locked its row, is `failed` and fails no other; it may have been staged nevertheless. Left:
   * no item could be staged, for one reason.
   */
  stage(stagings: readonly Staging[]): PortResult<readonly StageOutcome[]>

  /** The staged payload, unchanged, with its version; undefined after it was removed. */
  staged(key: AccountKey): PortResult<Readonly<{ version: number; payload: string }> | undefined>

  /**
   * Whether each account was created from that data: the same values (`isSameJson`), or, after its payload was removed, the
   * same text. Undefined if there is no account, or it was erased.
   */
  sameData(compared: readonly ComparedData[]): PortResult<readonly (boolean | undefined)[]>

  /**
   * Claims each account for its creation; at most one live claim exists for a key. With `limit`, at most so many live claims
   * exist at once in the whole service, over all its processes. Expired claims are taken over. The outcome contains the staged
   * data, which cannot change while the claim is live. If several reasons prevent a claim, a refusal precedes `not_staged`, and
   * that `over_limit`; neither counts an attempt. A claim with a `precondition` is decided only if the precondition holds in this
   * store at a moment after the call began; else the outcome is `precondition_failed`, before any refusal.
   */
  claim(requests: readonly ClaimRequest[], limit?: number): PortResult<readonly ClaimOutcome[]>

  /**
   * Marks the imports created, ends their claims and removes their latest failures, each only if `token` still has its claim:
   * otherwise `claim_lost`, and nothing changes. To be called inside the unit of work that creates the accounts.
   */
  complete(completions: readonly Completion[]): PortResult<readonly ('completed' | 'claim_lost')[]>

  /** Ends the claims that `token` still has, and stores their failures. For a lost claim nothing changes. */
  release(releases: readonly ClaimRelease[]): PortResult<void>

  /** In order of external account number by Unicode code point. The cost does not depend on the position of the page. */
  page(request: PageRequest): PortResult<readonly AccountImportListItem[]>

  /**
   * The imports that are staged, neither skipped nor created, including those under a live claim. In order of first staging, then
   * of number by code point. The cost depends neither on the position of the page nor on the number of imports.
   */
  stagedPage(request: StagedPageRequest): PortResult<readonly StagedImport[]>

  /**
   * The payloads of imports that are staged, neither skipped nor created. In order of external account number by Unicode code
   * point. The cost does not depend on the position of the page.
   */
  stagedPayloads(request: AccountsPageRequest): PortResult<readonly StagedPayload[]>

  /** Counts the imports of a supplier at the instant in one snapshot: no import is missed or counted twice. */
  summary(organisation: string, importSupplier: string, at: Instant): PortResult<ImportSummary>

  /**
   * Marks the import to be skipped, or removes the mark. Creates the import when it is marked, if it does not exist.
   * `already_imported` when its account exists, `in_progress` under a live claim; both change nothing. An expired claim ends when
   * the mark changes.
   */
  setSkipped(
    key: AccountKey,
    skipped: boolean,
    at: Instant,
    by?: Actor,
  ): PortResult<'changed' | 'unchanged' | 'already_imported' | 'in_progress'>
}
