import type { Creation, CreationOutcome, StagedWarnings } from '@account-import/core'
import { accountFormat, refusalOf } from '@account-import/core/adapter-kit'
import { sha256 } from '../sql/crypto.js'
import { failedAlone, inBatches } from '../sql/batches.js'
import { caseOf, filledUp, grouped, instant } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import type { ImportEvent } from './import-events.js'
import {
  accountImportOf,
  byImport,
  type LockedImport,
  lockImports,
  readImports,
  updateImports,
} from './import-rows.js'
import { ongoingText, teamText } from './registers.js'
import { freeSlots } from './slots.js'
import { warningsOf } from './stored-warnings.js'

const notCurrent = { _tag: 'not_current' } as const

/** Whether the staged data was found valid by the rules of the creation, or is of the version that its caller found valid. */
const isValidated = (row: LockedImport, { validatedUnder, version }: Creation): boolean =>
  version === undefined
    ? validatedUnder !== undefined && row.validated_under === validatedUnder
    : row.staged_version === version

/** `ready`: nothing of the import refuses the creation. `version`: that of its data, which has the warnings. */
type Decision = CreationOutcome | Readonly<{ _tag: 'ready'; version: number; warnings?: StagedWarnings }>

/** An account with the number was created by an earlier call, whose commit was reported as failed: numbers are unique. */
const decide = (row: LockedImport | undefined, creation: Creation): Decision => {
  const { at, platformAccountNumber, token } = creation
  const found = row && warningsOf(row, creation)
  const warnings = found && { warnings: found }
  if (row?.platform_account_number === platformAccountNumber) return { _tag: 'created', ...warnings }
  const isClaimed = token !== undefined && row?.claim_token === token
  const refusal = row && refusalOf(accountImportOf(row), at)
  if (refusal !== undefined && !(isClaimed && refusal._tag === 'in_progress')) return refusal
  if (token !== undefined && !isClaimed) return { _tag: 'claim_lost' }
  if (row === undefined || row.staged_version === 0) return { _tag: 'not_staged' }
  if (warnings === undefined && !isValidated(row, creation)) return { _tag: 'needs_validation' }
  return { _tag: 'ready', version: row.staged_version, ...warnings }
}

const created =
  `state = 'created', created_version = staged_version, created_format = ${accountFormat}, ` +
  'operations_team = ?, created_in_run = ?, validated_under = ?, attempts = attempts + ?, latest_failure_code = NULL, ' +
  'latest_failure_at = NULL, claim_token = NULL, claim_expires_at = NULL, holds_slot = 0'

/** Accounts that differ only in number and time are created by one statement. */
const likeness = (creation: Creation): string => {
  const { operationsTeam, importRun, validatedUnder, token, version, supplierRevision } = creation
  const isPlain = token === undefined && version === undefined
  return JSON.stringify([operationsTeam, importRun, validatedUnder, isPlain, supplierRevision])
}

/** The data of an account is that of its staging, which has an event of its own: this one seals the number of the account. */
const eventOf = ({ platformAccountNumber: subject, at, by }: Creation): ImportEvent => ({
  at,
  what: 'created',
  by,
  subject,
  after: sha256(subject),
})

type Alike = readonly [Creation, ...Creation[]]

type Condition = readonly [condition: string, ...bindings: readonly (string | number)[]]

/** Creates accounts of one likeness where the condition holds, and returns how many. */
const write = (db: Db, group: Alike, ...where: readonly [] | Condition): Promise<number> => {
  const [{ operationsTeam, importRun, validatedUnder, token }] = group
  return updateImports(db, group, {
    event: eventOf,
    set: created,
    values: [operationsTeam, importRun ?? null, validatedUnder ?? null, token === undefined ? 1 : 0],
    each: {
      'platform_account_number =': ({ platformAccountNumber }) => platformAccountNumber,
      'account_created_at =': ({ at }) => instant.write(at),
    },
    where,
  })
}

/** The condition of an import that nothing refuses. */
const ready = "state = 'staged' AND claim_token IS NULL"

/** Whether supplier and team are current. Bindings: those of `ongoingText` and `teamText`. */
const current = `EXISTS (SELECT 1 ${ongoingText}) AND EXISTS (${teamText})`

/** The condition under which accounts of one likeness are created without a lock before; undefined where there is none. */
const conditionOf = (group: Alike): Condition | undefined => {
  const [{ key, validatedUnder, token, version, supplierRevision, operationsTeam }] = group
  if (token !== undefined || (version === undefined && validatedUnder === undefined)) return undefined
  const list = filledUp(group)
  const valid: Condition =
    version === undefined
      ? [`${ready} AND validated_under = ?`, validatedUnder ?? '']
      : [
          `${ready} AND staged_version = ${caseOf('external_account_number', list.length, '0')}`,
          ...list.flatMap((each) => [each.key.externalAccountNumber, each.version ?? 0]),
        ]
  if (supplierRevision === undefined) return valid
  const { organisation, importSupplier } = key
  const [condition, ...bindings] = valid
  return [
    `${condition} AND ${current}`,
    ...bindings,
    organisation,
    importSupplier,
    supplierRevision,
    operationsTeam,
    organisation,
  ]
}

/** The outcome of a decision whose creation, if it was ready, is done. */
const outcomeOf = (decision: Decision): CreationOutcome => {
  if (decision._tag !== 'ready') return decision
  const { warnings } = decision
  return { _tag: 'created', ...(warnings && { warnings }) }
}

/** Locks the imports, decides, and creates: all or nothing. It does not read whether the supplier is current. */
const createBatch = async (db: Db, creations: readonly Creation[]): Promise<readonly CreationOutcome[]> => {
  const rowOf = await lockImports(
    db,
    creations.map(({ key }) => key),
  )
  const decided = creations.map((creation) => {
    const decision = decide(rowOf(creation.key), creation)
    const isUnsure = decision._tag === 'ready' && creation.supplierRevision !== undefined
    return { creation, decision: isUnsure ? notCurrent : decision }
  })
  const wanted = decided.filter(({ decision }) => decision._tag === 'ready').map(({ creation }) => creation)
  for (const group of grouped(wanted, likeness).values())
    // Spider may answer a change well whose unique key a data node has refused.
    if ((await write(db, group)) !== group.length) throw new Error('an account that was ready is not created')
  // All transactions lock imports before slots.
  await freeSlots(
    db,
    wanted.map(({ key }) => rowOf(key)),
  )
  return decided.map(({ decision }) => outcomeOf(decision))
}

/** Creates those accounts whose condition holds, and returns how many; undefined where one has no condition. */
const writeWhereReady = async (db: Db, creations: readonly Creation[]): Promise<number | undefined> => {
  const groups = [...grouped(creations, likeness).values()]
  const conditions = groups.map((group) => ({ group, condition: conditionOf(group) }))
  if (conditions.some(({ condition }) => condition === undefined)) return undefined
  let count = 0
  for (const { group, condition } of conditions)
    if (condition !== undefined) count += await write(db, group, ...condition)
  return count
}

/**
 * Creates each account by the condition of its change alone, reads why others were not created, and creates those whose data has
 * warnings, by its version. Undefined where that does not decide: `createBatch` does. An account that could be created now has an
 * expired claim, which may hold a slot, or has changed since.
 */
const createAtOnce = async (
  db: Db,
  creations: readonly Creation[],
): Promise<readonly CreationOutcome[] | undefined> => {
  const count = await writeWhereReady(db, creations)
  if (count === undefined) return undefined
  if (count === creations.length) return creations.map(() => ({ _tag: 'created' }))
  // A statement of its own: it sees what the changes have waited for.
  const rowOf = await readImports(
    db,
    creations.map(({ key }) => key),
  )
  const decided = creations.map((creation) => decide(rowOf(creation.key), creation))
  const warned = creations.flatMap((creation, index) => {
    const decision = decided[index]
    const isWarned = decision?._tag === 'ready' && decision.warnings !== undefined
    return isWarned ? [{ ...creation, version: decision.version }] : []
  })
  const isDecided = decided.filter(({ _tag }) => _tag === 'ready').length === warned.length
  return isDecided && (await writeWhereReady(db, warned)) === warned.length
    ? decided.map(outcomeOf)
    : undefined
}

/** Joins creations that wait at the same time. */
export const sqlCreations = (session: Session) => ({
  create: inBatches<Creation, CreationOutcome>(
    session,
    async (creations, { isUnitOfWork, query, transaction }) =>
      (isUnitOfWork ? undefined : await query((db) => createAtOnce(db, creations))) ??
      transaction((db) => createBatch(db, creations)),
    { work: 'create', most: 64, ...byImport },
    failedAlone('create'),
  ),
})
