import { readField } from '../codec/struct.js'
import {
  type AccountImport,
  type AccountKey,
  type ImportRefusal,
  refusalOf,
} from '../domain/account-import.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E } from '../fp.js'
import { echoAccount, type EchoedAccount } from '../payloads/echo.js'
import { externalAccountNumber, importSupplierCode } from '../payloads/identifiers.js'
import type { Ports } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import type { ExtraFinding } from '../validation/check.js'
import {
  checkAccount,
  dataToStage,
  type WithValidator,
  namedSupplier,
  type NamedSupplier,
  type Submission,
  type WithWarnings,
} from '../checking/check-payload.js'
import type { AccountFailedValidation, UseCaseResult } from '../checking/errors.js'

type ValidatePorts = Pick<Ports, 'importSuppliers' | 'accountImports' | 'clock' | 'documents' | 'settings'> &
  WithValidator

const codes = {
  already_imported: 'account_already_imported',
  in_progress: 'account_import_in_progress',
  marked_to_skip: 'account_marked_to_skip',
} as const satisfies Record<ImportRefusal['_tag'], string>

const notOngoing = 'import_supplier_migration_not_ongoing'

/** The outcome that staging the account would have now, or the code of its refusal. */
export type StagingForecast = Readonly<{
  staging: 'created' | 'replaced' | (typeof codes)[keyof typeof codes] | typeof notOngoing
  /** As in `AccountAlreadyImported`; undefined for an account that does not exist. */
  sameData: boolean | undefined
}>

type Foreseen = Readonly<{ findings: readonly ExtraFinding[]; staging: StagingForecast['staging'] }>

type Known = Readonly<{ named: NamedSupplier; found: AccountImport | undefined }>

/** The key of the account that a payload names, if it names one. */
const namedKey = ({ organisation, payload }: Submission): AccountKey | undefined => {
  const importSupplier = readField(importSupplierCode, payload, 'import_supplier')
  const number = readField(externalAccountNumber, payload, 'external_account_number')
  return importSupplier === undefined || number === undefined
    ? undefined
    : { organisation, importSupplier, externalAccountNumber: number }
}

/** By one read, where the supplier was read a moment ago and is current; undefined otherwise. */
const knownOfCurrent = async (
  { importSuppliers, accountImports }: ValidatePorts,
  key: AccountKey,
): Promise<Known | undefined> => {
  if (importSuppliers.recent === undefined || accountImports.findOfCurrent === undefined) return undefined
  const remembered = await importSuppliers.recent(key.organisation, key.importSupplier)
  if (E.isLeft(remembered) || remembered.right === undefined) return undefined
  const supplier = remembered.right
  const read = await accountImports.findOfCurrent(key, supplier)
  // A failure is told by the reads that follow.
  if (E.isLeft(read) || read.right === undefined) return undefined
  return { named: { supplier, isMissing: false }, found: read.right.found }
}

/** The supplier that a payload names, and the import of its account. Asked for at the same time, so that a request waits once. */
const knownOf = async (ports: ValidatePorts, submission: Submission): PortResult<Known> => {
  const key = namedKey(submission)
  const known = key && (await knownOfCurrent(ports, key))
  if (known !== undefined) return E.right(known)
  const [named, found] = await Promise.all([
    namedSupplier(ports)(submission.organisation, submission.payload, 'import_supplier'),
    key === undefined ? E.right(undefined) : ports.accountImports.find(key),
  ])
  if (E.isLeft(named)) return named
  return E.map((right: AccountImport | undefined) => ({ named: named.right, found: right }))(found)
}

/** The reasons for which staging would refuse the account now, as warnings, so that data can be checked at any time. */
const foresee = (
  { clock }: ValidatePorts,
  { status }: ImportSupplier,
  found: AccountImport | undefined,
): Foreseen => {
  const isOngoing = status === 'ongoing'
  const findings: readonly ExtraFinding[] = isOngoing
    ? []
    : [{ path: ['import_supplier'], code: notOngoing, asWarning: true }]
  const refusal = found && refusalOf(found, clock.now())
  if (refusal !== undefined) {
    const code = codes[refusal._tag]
    const finding = { path: ['external_account_number'], code, asWarning: true } as const
    return { findings: [...findings, finding], staging: code }
  }
  if (!isOngoing) return { findings, staging: notOngoing }
  return { findings, staging: found === undefined || found.stagedVersion === 0 ? 'created' : 'replaced' }
}

const unforeseen: Foreseen = { findings: [], staging: 'created' }

/** Checks an account payload as staging would, and stores nothing. */
export const validateAccount =
  (ports: ValidatePorts) =>
  async (
    submission: Submission,
  ): UseCaseResult<
    AccountFailedValidation,
    Readonly<{ account: EchoedAccount }> & StagingForecast & WithWarnings
  > => {
    const known = await knownOf(ports, submission)
    if (E.isLeft(known)) return known
    const { named, found } = known.right
    const { findings, staging } = named.supplier ? foresee(ports, named.supplier, found) : unforeseen
    const checked = await checkAccount(ports)(submission, named, findings)
    if (E.isLeft(checked)) return checked
    const { account, warnings } = checked.right
    const valid = { account: echoAccount(account), staging, warnings }
    if (staging !== codes.already_imported) return E.right({ ...valid, sameData: undefined })
    const { organisation, text } = submission
    const compared = await ports.accountImports.sameData([dataToStage(organisation, checked.right, text)])
    return E.isLeft(compared) ? compared : E.right({ ...valid, sameData: compared.right[0] })
  }
