import type { Account } from '../domain/account.js'
import type { CustomerEmail } from '../domain/customer-email.js'
import type { ImportSupplier, SupplierStatus } from '../domain/import-supplier.js'
import type { Scope } from '../domain/scope.js'
import type { Either } from '../fp.js'
import type { ApiKeyRecord } from '../ports/api-keys.js'
import type { OperationsTeam } from '../ports/operations-teams.js'
import type { Organisation } from '../ports/organisations.js'
import type { EmailList } from '../ports/outbox.js'
import type { Erased, HeldData } from '../ports/personal-data.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { SupplierSettings } from '../settings/supplier-settings.js'
import type { Instant } from '../values/instant.js'
import type { OperatorRefusal } from './errors.js'
import type { UseCaseResult } from './use-case-result.js'

/** A document that an account's data names, and that is not in the storage. */
export type MissingDocument = Readonly<{
  externalAccountNumber: string
  /** Undefined until the account is created. */
  platformAccountNumber: string | undefined
  /** As sent, relative to the supplier's document root. */
  path: string
}>

/** What was found out about the next accounts: how many there are, how many documents they name, which are missing. */
export type DocumentsChecked = Readonly<{
  accounts: number
  /** A document that two accounts name counts twice. */
  references: number
  missing: readonly MissingDocument[]
}>

/** `apiKey` is shown this once; `previous` ends at `previousEndsAt`. */
export type RotatedApiKey = Readonly<{
  apiKey: string
  record: ApiKeyRecord
  previous: string
  previousEndsAt: Instant
}>

export type TeamBinding = Readonly<{ name: string; organisation: string }>

/** What the operator does, through the command line. Input is raw and checked here. */
export type OperatorUseCases = Readonly<{
  /** Suppliers and API keys belong to an organisation, so this comes first. `code`: at most 32 characters. */
  createOrganisation(
    input: Readonly<{ code: string; name?: string }>,
  ): UseCaseResult<OperatorRefusal, Organisation>
  listOrganisations(): UseCaseResult<never, readonly Organisation[]>
  /** Until it is enabled again, none of its keys and tokens works, within 60 seconds; what is there stays. */
  disableOrganisation(code: string): UseCaseResult<OperatorRefusal, Organisation>
  enableOrganisation(code: string): UseCaseResult<OperatorRefusal, Organisation>
  /** Revokes all its keys for good, and with them every session; tokens stop working within 60 seconds. */
  revokeOrganisation(
    code: string,
  ): UseCaseResult<OperatorRefusal, Readonly<{ code: string; revokedKeys: number }>>
  /**
   * Needs the organisation. `code` is what payloads name as `import_supplier`, and is taken once in the whole service. `status` is `ongoing`
   * when absent. `documentRoot` is the folder of the storage that its documents' paths are relative to, `organisation/supplier` when absent.
   */
  createSupplier(
    input: Readonly<{ code: string; organisation: string; status?: SupplierStatus; documentRoot?: string }>,
  ): UseCaseResult<OperatorRefusal, ImportSupplier>
  /** `ongoing` accepts accounts; `paused` and `complete` refuse every request that would change one (`SupplierNotOngoing`). */
  setSupplierStatus(
    input: Readonly<{ code: string; status: SupplierStatus }>,
  ): UseCaseResult<OperatorRefusal, ImportSupplier>
  configureSupplier(
    input: Readonly<{ code: string; change: (settings: SupplierSettings) => SupplierSettings }>,
  ): UseCaseResult<OperatorRefusal, ImportSupplier>
  showSupplier(code: string): UseCaseResult<OperatorRefusal, ImportSupplier>
  listSuppliers(): UseCaseResult<never, readonly ImportSupplier[]>
  /** The suppliers that can find out about documents of another organisation, as these lie in their roots. */
  listReachingOthers(): UseCaseResult<never, readonly ImportSupplier[]>
  /** Accounts are created for a team: `operations_team_name` of `processAccount`. */
  createTeam(name: string): UseCaseResult<OperatorRefusal, Readonly<{ name: string }>>
  listTeams(): UseCaseResult<never, readonly OperationsTeam[]>
  /** Only organisations that a team is bound to may use it; all may use one that is bound to none. */
  bindTeam(binding: TeamBinding): UseCaseResult<OperatorRefusal, OperationsTeam>
  /** One that is not bound to the organisation stays as it is. */
  unbindTeam(binding: TeamBinding): UseCaseResult<OperatorRefusal, OperationsTeam>
  /**
   * `apiKey` is shown this once. It ends after 365 days unless `expiresAt` says otherwise; `name` has 1 to 100 characters. Without
   * `scopes` it may do everything.
   */
  createApiKey(
    input: Readonly<{
      organisation: string
      name?: string
      scopes?: readonly Scope[]
      expiresAt?: Instant | 'never'
    }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ apiKey: string; record: ApiKeyRecord }>>
  listApiKeys(): UseCaseResult<never, readonly ApiKeyRecord[]>
  /**
   * Issues a key for the same organisation, with the same name and scopes, and ends the old one after `overlapSeconds` (0 or
   * more), 24 hours when absent, unless it ends before.
   */
  rotateApiKey(
    input: Readonly<{ id: string; overlapSeconds?: number; expiresAt?: Instant | 'never' }>,
  ): UseCaseResult<OperatorRefusal, RotatedApiKey>
  revokeApiKey(id: string): UseCaseResult<OperatorRefusal, Readonly<{ id: string }>>
  setSkipped(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string; skipped: boolean }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ changed: boolean }>>
  showAccount(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, Account>
  /** Everything that is held of a pair, staged, created or skipped; for whoever it is about. */
  exportSubject(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, HeldData>
  /** How much `eraseSubject` would remove now. Changes nothing, and shows no value. */
  previewErasure(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, Erased>
  /**
   * Removes what tells of a person, and says how much that was; what money and the register need stays (`PersonalData`). Refused
   * while the account is being created, or its e-mail is being sent. May be repeated.
   */
  eraseSubject(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, Erased>
  /**
   * Every document that is missing though the supplier's staged or created accounts name it, in order of external
   * account number, in constant memory; a port that fails after the first page makes the iteration throw its
   * `PortFailure`.
   */
  missingDocuments(code: string): UseCaseResult<OperatorRefusal, AsyncIterable<DocumentsChecked>>
  /** Page by page; a Left ends the iteration. Absent supplier: of all; absent list: in every state. */
  listEmails(
    input: Readonly<{ importSupplier: string | undefined; list: EmailList | undefined }>,
  ): UseCaseResult<OperatorRefusal, AsyncIterable<Either<PortFailure, readonly CustomerEmail[]>>>
  /** Makes an e-mail that is parked, or waits for another try, due at once. */
  retryEmail(id: string): UseCaseResult<OperatorRefusal, Readonly<{ retried: number }>>
  /** The same for all that are parked. */
  retryParkedEmails(
    input: Readonly<{ importSupplier: string | undefined }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ retried: number }>>
}>
