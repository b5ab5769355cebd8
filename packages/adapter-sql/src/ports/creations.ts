import type { Creation, CreationOutcome } from '@account-import/core'
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

/** Whether the staged data was found valid by the rules of the creation, or is of the version that its caller found valid. */
const isValidated = (row: LockedImport, { validatedUnder, version }: Creation): boolean =>
  version === undefined
    ? validatedUnder !== undefined && row.validated_under === validatedUnder
    : row.staged_version === version

/** An account with the number was created by an earlier call, whose commit was reported as failed: numbers are unique. */
const decide = (row: LockedImport | undefined, creation: Creation): CreationOutcome | 'create' => {
  const { at, platformAccountNumber, token } = creation
  if (row?.platform_account_number === platformAccountNumber) return { _tag: 'created' }
  const isClaimed = token !== undefined && row?.claim_token === token
  const refusal = row && refusalOf(accountImportOf(row), at)
  if (refusal !== undefined && !(isClaimed && refusal._tag === 'in_progress')) return refusal
  if (token !== undefined && !isClaimed) return { _tag: 'claim_lost' }
  if (row === undefined || row.staged_version === 0) return { _tag: 'not_staged' }
  if (!isValidated(row, creation)) return { _tag: 'needs_validation' }
  return creation.supplierRevision === undefined ? 'create' : { _tag: 'not_current' }
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
          `${ready} AND staged_version = ${caseOf('external_account_number', list.length)}`,
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

const outcomeOf = (outcome: CreationOutcome | 'create'): CreationOutcome =>
  outcome === 'create' ? { _tag: 'created' } : outcome

/** Locks the imports, decides, and creates: all or nothing. */
const createBatch = async (db: Db, creations: readonly Creation[]): Promise<readonly CreationOutcome[]> => {
  const rowOf = await lockImports(
    db,
    creations.map(({ key }) => key),
  )
  const decided = creations.map((creation) => ({ creation, outcome: decide(rowOf(creation.key), creation) }))
  const wanted = decided.filter(({ outcome }) => outcome === 'create').map(({ creation }) => creation)
  for (const group of grouped(wanted, likeness).values()) await write(db, group)
  // All transactions lock imports before slots.
  await freeSlots(
    db,
    wanted.map(({ key }) => rowOf(key)),
  )
  return decided.map(({ outcome }) => outcomeOf(outcome))
}

/**
 * Creates each account by the condition of its change alone, and reads why others cannot be created. Undefined where that does not
 * decide: `createBatch` does. An account that could be created now has an expired claim, which may hold a slot, or has changed since.
 */
const createAtOnce = async (
  db: Db,
  creations: readonly Creation[],
): Promise<readonly CreationOutcome[] | undefined> => {
  const groups = [...grouped(creations, likeness).values()]
  const conditions = groups.map((group) => ({ group, condition: conditionOf(group) }))
  if (conditions.some(({ condition }) => condition === undefined)) return undefined
  let count = 0
  for (const { group, condition } of conditions)
    if (condition !== undefined) count += await write(db, group, ...condition)
  if (count === creations.length) return creations.map(() => ({ _tag: 'created' }))
  // A statement of its own: it sees what the changes have waited for.
  const rowOf = await readImports(
    db,
    creations.map(({ key }) => key),
  )
  const decided = creations.map((creation) => decide(rowOf(creation.key), creation))
  return decided.includes('create') ? undefined : decided.map(outcomeOf)
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
