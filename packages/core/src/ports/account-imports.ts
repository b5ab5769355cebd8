import type {
  AccountImport,
  AccountKey,
  ImportRefusal,
  ImportSummary,
  StagedWarnings,
} from '../domain/account-import.js'
import type { Actor } from '../domain/audit-entry.js'
import type { Instant } from '../values/instant.js'
import type { AccountsPageRequest, StoredPage } from './accounts.js'
import type { PortFailure, PortResult } from './port-failure.js'
import type { FoundSupplier } from './registers.js'

/**
 * `payload`: the JSON text of the validated account, stored and returned unchanged. `validatedUnder`: the rules and settings by which it
 * was found valid (`rulesInForce`); absent, it is validated again before an account is created from it. `warnings`: those that were
 * found with it, if any: the outcome of its creation repeats them. `by`: the actor for the audit log; here and below `unnamedActor` when absent. `importRun`: the id of the run that stages it, kept until
 * the account is staged again. `creation`: the account is created in the same change. `supplierRevision`: staged only if the supplier is
 * ongoing, with this revision, and `not_current` otherwise; not inside a unit of work.
 */
export type Staging = Readonly<{
  key: AccountKey
  payload: string
  at: Instant
  validatedUnder?: string | undefined
  warnings?: StagedWarnings | undefined
  by?: Actor | undefined
  importRun?: string | undefined
  creation?: Readonly<{ platformAccountNumber: string; operationsTeam: string }> | undefined
  supplierRevision?: string | undefined
}>

/** The outcome of an item that could not be done, while others of its list were. */
export type Failed = Readonly<{ _tag: 'failed'; failure: PortFailure }>

export type StageOutcome =
  | Readonly<{ _tag: 'created' | 'replaced'; version: number }>
  | Readonly<{ _tag: 'not_current' }>
  | Failed
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
}>

export type ClaimOutcome = Readonly<{ _tag: 'claimed' | 'not_staged' | 'over_limit' }> | ImportRefusal

/** An account to be created from staged data. The same number always belongs to the same creation. */
export type Creation = Readonly<{
  key: AccountKey
  platformAccountNumber: string
  operationsTeam: string
  at: Instant
  by?: Actor | undefined
  /** The id of the run that creates it. */
  importRun?: string | undefined
  /** The claim of the caller; absent if it has none. */
  token?: string | undefined
  /** The rules and settings that are in force (`validatedUnder`); absent if no data can be trusted. */
  validatedUnder?: string | undefined
  /** The version of the staged data that the caller found valid by `validatedUnder`; absent if it validated none. */
  version?: number | undefined
  /**
   * Created only if the supplier is ongoing, with this revision, and the organisation may use the team. An account that no refusal of its
   * import prevents may be `not_current` for other reasons too.
   */
  supplierRevision?: string | undefined
}>

/**
 * `needs_validation`: the data was not staged as `validatedUnder`, and is not of `version`; `staged` returns it, to be validated. A store
 * may answer so for any data with warnings. `warnings`: those of the staging, where the creation names no version.
 */
export type CreationOutcome =
  | Readonly<{ _tag: 'created'; warnings?: StagedWarnings }>
  | Readonly<{ _tag: 'not_staged' | 'claim_lost' | 'needs_validation' | 'not_current' }>
  | Failed
  | ImportRefusal

/** The JSON text of staged data, unchanged, and its version: the ordinal of its staging. */
export type StagedData = Readonly<{ version: number; payload: string; failure?: undefined }>

/** Staged data that could not be read. */
export type UnreadableData = Readonly<{ failure: PortFailure; version?: undefined; payload?: undefined }>

/** Data that an account is compared with. `payload`: its JSON text; the staged data when absent. */
export type ComparedData = Readonly<{ key: AccountKey; payload?: string }>

/** The end of an attempt that created no account. */
export type ClaimRelease = Readonly<{
  key: AccountKey
  /** The claim of the attempt; absent if it had none. */
  token?: string | undefined
  /** Stored on the import as its latest failure; absent for a dry run. */
  failure?: Readonly<{ code: string; at: Instant }>
  by?: Actor | undefined
}>

/** `all`: staged data or an account; `pending`: staged or in progress, not skipped; `imported`: created. */
export type AccountImportList = 'all' | 'pending' | 'imported'

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
 * creations, failures, marks. Every operation with a list returns one outcome per item, in the order of the list, but for `staged`; the
 * keys in one list must be distinct.
 */
export interface AccountImports {
  /** Undefined for an import that was never staged, for one that was undone, and after a mark without data was removed. */
  find(key: AccountKey): PortResult<AccountImport | undefined>

  /**
   * As `find`, if the supplier still has the status and the revision with which it was read; undefined otherwise. Absent where a store
   * cannot read both at once.
   */
  findOfCurrent?(
    key: AccountKey,
    supplier: Pick<FoundSupplier, 'status' | 'revision'>,
  ): PortResult<Readonly<{ found: AccountImport | undefined }> | undefined>

  /**
   * Stores the payloads, for the first time or again. Each item is atomic, also against every other operation: two stagings of
   * one key happen one after the other, and their data is never mixed. Refused items change nothing. An expired claim does not
   * refuse staging; it ends. A `creation` creates the account of accepted data in the same change, as `create` does. An item that
   * could not be staged, for example because another transaction has locked its row, is `failed` and fails no other; it may have
   * been staged nevertheless. Left: no item could be staged, for one reason.
   */
  stage(stagings: readonly Staging[]): PortResult<readonly StageOutcome[]>

  /**
   * The staged data of the first keys of the list: as many as have texts of `storedPageBytes` together, one at least, so that
   * memory is bounded. Undefined for data that was never staged, or was removed. Data that cannot be read, for example because its
   * key is missing, has a `failure`, and fails no other. Left: none could be read.
   */
  staged(keys: readonly AccountKey[]): PortResult<readonly (StagedData | UnreadableData | undefined)[]>

  /**
   * Whether each account was created from that data: the same values (`isSameJson`), or, after its payload was removed, the
   * same text. Undefined if there is no account, or it was erased.
   */
  sameData(compared: readonly ComparedData[]): PortResult<readonly (boolean | undefined)[]>

  /**
   * Claims each account for a creation that takes time; at most one live claim exists for a key. With `limit`, at most so many live
   * claims exist at once in the whole service, over all its processes. Expired claims are taken over. Staged data cannot change
   * while a claim is live. If several reasons prevent a claim, a refusal precedes `not_staged`, and that `over_limit`; neither
   * counts an attempt.
   */
  claim(requests: readonly ClaimRequest[], limit?: number): PortResult<readonly ClaimOutcome[]>

  /**
   * Creates each account from its staged data in one change, and ends its claim, its latest failure and its wait: if the data was
   * staged as `validatedUnder`, or is of `version`, whose judgement is then stored. Any other data is `needs_validation`, and changes nothing;
   * inside a unit of work it cannot change until that ends. Waits for stagings of the same account, and decides by the latest. A
   * live claim of another caller refuses it (`in_progress`); a `token` that has no claim is `claim_lost`. An account that has the
   * number already is `created`: an earlier call was not answered. Counts an attempt if there is no claim. A number that another
   * account has is a failure. Outside a unit of work an item that could not be created is `failed`, and fails no other; it may
   * have been created nevertheless.
   */
  create(creations: readonly Creation[]): PortResult<readonly CreationOutcome[]>

  /**
   * Ends the claims that `token` still has, and stores their failures. For a lost claim nothing changes. Without a `token` it
   * stores the failure and counts the attempt, unless the account was created, is skipped or is under a live claim.
   */
  release(releases: readonly ClaimRelease[]): PortResult<void>

  /** In order of external account number by Unicode code point. The cost does not depend on the position of the page. */
  page(
    request: Readonly<{
      organisation: string
      importSupplier: string
      list: AccountImportList
      /** Only numbers after this one. */
      after: string | undefined
      /** 1 to 1001: one more than the longest page, to find whether there is a next. */
      limit: number
    }>,
  ): PortResult<readonly AccountImportListItem[]>

  /**
   * The imports that are staged, neither skipped nor created, including those under a live claim. In order of first staging, then
   * of number by code point. The cost depends neither on the position of the page nor on the number of imports.
   */
  stagedPage(request: StagedPageRequest): PortResult<readonly StagedImport[]>

  /**
   * The payloads of imports that are staged, neither skipped nor created. In order of external account number by Unicode code
   * point. The cost does not depend on the position of the page.
   */
  stagedPayloads(request: AccountsPageRequest): PortResult<StoredPage<StagedPayload>>

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
