import type { AuditEntry, ChainHead, SealedEntry, Sealing } from '@account-import/core'
import { inOrderOfTime, sealedText } from '@account-import/core/adapter-kit'
import { unlessDuplicate } from '../failures/duplicate.js'
import { auditLogRow, unsealedEntryOf } from '../rows/audit-log.js'
import type { ImportKeyRow } from '../rows/import-key.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import { insertRows } from '../statements/insert-rows.js'
import { headOf } from './chain-heads.js'
import { grouped } from './grouped.js'
import type { Seals } from './seals.js'
import { clearImports, entriesOfImport, lockedImports, unsealedKeys } from './unsealed-imports.js'
import { lockedOthers, otherKeys, removeOthers, type OtherKey } from './unsealed-others.js'

/** Each entry in its place after the end of a chain. */
const chained = (
  head: ChainHead,
  entries: readonly AuditEntry[],
  sealOf: Seals['sealOf'],
): readonly SealedEntry[] => {
  let { sequence, hash } = head
  return entries.map((entry) => {
    sequence += 1
    hash = sealOf(sealedText(hash, sequence, entry))
    return { sequence, entry, hash }
  })
}

const elsewhere = -1

/**
 * Moves entries of one organisation to the end of its chain; answers how many. The end is read first, then what waits is
 * locked: what another sealer has moved meanwhile is not there any more, or the number after that end is taken, which the key
 * of the table refuses. Nothing else touches the end of a chain, so no request waits for it.
 */
const sealOrganisation = (
  { dialect, transaction }: Session,
  sealOf: Seals['sealOf'],
  organisation: string,
  keys: Readonly<{ imports: readonly ImportKeyRow[]; others: readonly OtherKey[] }>,
): Promise<number> =>
  unlessDuplicate(
    () =>
      transaction(async (db) => {
        const head = await headOf(db, organisation)
        const imports = await lockedImports(db, dialect, keys.imports)
        const others = await lockedOthers(db, dialect, keys.others)
        const entries = inOrderOfTime([
          ...imports.map(entriesOfImport),
          ...others.map((row) => [unsealedEntryOf(row)]),
        ])
        if (entries.length === 0) return 0
        await insertRows(db, dialect, tables.auditLog, chained(head, entries, sealOf).map(auditLogRow))
        await clearImports(db, dialect, imports)
        await removeOthers(db, others)
        return entries.length
      }),
    elsewhere,
  )

/** Seals what waits longest, organisation by organisation, each in a transaction of its own. */
export const seal = async (session: Session, sealOf: Seals['sealOf'], limit: number): Promise<Sealing> => {
  const imports = await session.query((db) => unsealedKeys(db, session.dialect, limit))
  const others = await session.query((db) => otherKeys(db, limit))
  const importsOf = grouped(imports, ({ organisation }) => organisation)
  const othersOf = grouped(others, ({ organisation }) => organisation)
  let entries = 0
  for (const organisation of new Set([...imports, ...others].map((row) => row.organisation))) {
    const keys = { imports: importsOf(organisation), others: othersOf(organisation) }
    const sealed = await sealOrganisation(session, sealOf, organisation, keys)
    if (sealed === elsewhere) return { _tag: 'elsewhere' }
    entries += sealed
  }
  if (entries === 0 && imports.length + others.length > 0) return { _tag: 'elsewhere' }
  return { _tag: 'sealed', entries, more: imports.length === limit || others.length === limit }
}
