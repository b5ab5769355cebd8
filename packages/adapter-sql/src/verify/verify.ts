import type { KeyRing } from '@account-import/core'
import { isPortFailure, verifyChains } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import { missingKeys } from '../migrate.js'
import { sqlAuditTrail } from '../ports/audit-trail.js'
import { dataKeys } from '../sql/crypto.js'
import { type Owner, ownersIn } from '../sql/owners.js'
import { tables } from '../sql/rows.js'
import { type Db, type PoolSession, poolSession } from '../sql/session.js'
import type { Break, Finding, OnVerified, Walk } from './breaks.js'
import { importBreaks } from './import-breaks.js'
import { latestClaimEnd } from './import-rules.js'
import { additionBreaks, emailBreaks, runBreaks } from './row-breaks.js'

/** The data that is checked: all, that of a supplier, or that of an organisation. */
export type VerifyScope = Readonly<{ organisation?: string; importSupplier?: string }>

export type VerifyOptions = VerifyScope &
  Readonly<{
    onVerified?: OnVerified
    /** Decrypts encrypted data. */
    keyRing?: KeyRing | undefined
    /** The secrets of the audit log (`SqlPortsOptions`), which may be none. Absent: the audit log is not checked. */
    auditKeys?: readonly string[] | undefined
  }>

const suppliersText = `SELECT organisation, code AS import_supplier FROM ${tables.importSuppliers}`

/** Every owner in the scope that is registered, or that has rows in any table, so that no row is left out; in order. */
const ownersOf = async (db: Db, { organisation, importSupplier }: VerifyScope): Promise<readonly Owner[]> => {
  const found = [...(await db.select<Owner>(suppliersText))]
  for (const table of [tables.accountImports, tables.accountItems, tables.customerEmails])
    found.push(...(await ownersIn(db, table)))
  const wanted = found.filter(
    (owner) =>
      (organisation ?? owner.organisation) === owner.organisation &&
      (importSupplier ?? owner.import_supplier) === owner.import_supplier,
  )
  const texts = wanted.map((owner) => JSON.stringify([owner.organisation, owner.import_supplier]))
  return [...new Set(texts)].sort().map((text) => {
    const [first, second] = JSON.parse(text) as readonly [string, string]
    return { organisation: first, import_supplier: second }
  })
}

const registersText =
  `SELECT (SELECT COUNT(*) FROM ${tables.organisations} WHERE code = ?) AS organisation, ` +
  `(SELECT COUNT(*) FROM ${tables.importSuppliers} WHERE organisation = ? AND code = ?) AS import_supplier`

/** The names of the owner that are not registered. */
async function* ownerBreaks({ session, owner }: Walk): AsyncGenerator<Finding> {
  const { organisation, import_supplier } = owner
  const [row] = await session.query((db) =>
    db.select<Readonly<Record<keyof Owner, number>>>(registersText, [
      organisation,
      organisation,
      import_supplier,
    ]),
  )
  const columns = (['organisation', 'import_supplier'] as const).filter(
    (column) => Number(row?.[column]) === 0,
  )
  if (columns.length > 0) yield { kind: 'reference_missing', table: tables.importSuppliers, columns }
}

const steps = [ownerBreaks, importBreaks, additionBreaks, emailBreaks, runBreaks]

/** The organisations whose audit log is not as it was sealed, and those of which a key is missing to tell; each once. */
async function* chainBreaks(
  session: PoolSession,
  auditKeys: readonly string[],
  organisation: string | undefined,
): AsyncGenerator<Break> {
  const reported = new Set<string>()
  const ports = { auditTrail: sqlAuditTrail(session, auditKeys) }
  try {
    for await (const { breaks } of verifyChains(ports, { organisation, heads: [] }))
      for (const { kind: fault, organisation: code } of breaks) {
        const kind = fault === 'key_missing' ? 'audit_key_missing' : 'chain_broken'
        if (reported.has(`${kind} ${code}`)) continue
        reported.add(`${kind} ${code}`)
        yield { kind, table: tables.auditLog, columns: ['block'], organisation: code }
      }
  } catch (cause) {
    throw isPortFailure(cause) ? cause.cause : cause
  }
}

/** Slots that no other process could take over. */
const endlessSlotsText =
  `SELECT slot FROM ${tables.processingSlots} ` +
  'WHERE claim_token IS NOT NULL AND (expires_at IS NULL OR expires_at > ?) LIMIT 1'

/**
 * Checks a database of this version: keys and indexes, references, payloads against their hashes, additions, e-mails, counts, and for
 * all suppliers the audit log. Yields each break as soon as it is found, supplier by supplier; needs a few MiB for any number of
 * accounts. May run beside servers that write. Changes nothing. While an index is missing, only that is reported, as pages are read in
 * the order of keys. Rejects with the driver's error, or with a `KeyRingError` where a key is missing.
 */
export async function* verify(knex: Knex, options: VerifyOptions = {}): AsyncGenerator<Break> {
  const { onVerified = () => undefined, keyRing, auditKeys, ...scope } = options
  const missing = await missingKeys(knex)
  for (const { table, columns } of missing) yield { kind: 'index_missing', table, columns }
  if (missing.length > 0) return
  const session = poolSession(knex, dataKeys(keyRing), () => undefined)
  const slots = await session.query((db) => db.select(endlessSlotsText, [latestClaimEnd()]))
  if (slots.length > 0)
    yield { kind: 'columns_contradict', table: tables.processingSlots, columns: ['expires_at'] }
  for (const owner of await session.query((db) => ownersOf(db, scope))) {
    const { organisation, import_supplier: importSupplier } = owner
    for (const step of steps)
      for await (const found of step({ session, owner, onVerified }))
        yield { ...found, organisation, importSupplier }
    onVerified('suppliers', 1)
  }
  if (auditKeys !== undefined && scope.importSupplier === undefined)
    yield* chainBreaks(session, auditKeys, scope.organisation)
}
