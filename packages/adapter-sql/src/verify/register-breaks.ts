import type { Instant } from '@account-import/core'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { selectRows } from '../statements/select-rows.js'
import type { Break } from './break-kinds.js'
import type { SupplierKey } from './look.js'

const exists = async (db: Statements, text: string, bindings: readonly string[]): Promise<boolean> =>
  (await selectRows(db, text, bindings)).length > 0

const organisationText = `SELECT code FROM ${tables.organisations} WHERE code = ?`
const supplierText = `SELECT code FROM ${tables.importSuppliers} WHERE code = ? AND organisation = ?`

/** Whether supplier and organisation of rows are registered. */
export async function* registerBreaks(
  db: Statements,
  { organisation, import_supplier: importSupplier }: SupplierKey,
): AsyncGenerator<Break> {
  if (!(await exists(db, organisationText, [organisation])))
    yield { kind: 'organisation_unknown', organisation, importSupplier }
  if (!(await exists(db, supplierText, [importSupplier, organisation])))
    yield { kind: 'supplier_unknown', organisation, importSupplier }
}

const slotsText =
  `SELECT slot FROM ${tables.processingSlots} ` +
  'WHERE claim_token IS NOT NULL AND (expires_at IS NULL OR expires_at > ?) ORDER BY slot'

/** Slots that are taken for longer than any claim. */
export async function* slotBreaks(db: Statements, latestEnd: Instant): AsyncGenerator<Break> {
  const slots = await selectRows<Readonly<{ slot: number }>>(db, slotsText, [toSqlInstant(latestEnd)])
  if (slots.length > 0) yield { kind: 'slot_never_ends', table: tables.processingSlots, rows: slots.length }
}

/** The operations teams that there are. */
export const teamsIn = async (db: Statements): Promise<ReadonlySet<string>> => {
  const rows = await selectRows<Readonly<{ name: string }>>(
    db,
    `SELECT name FROM ${tables.operationsTeams}`,
    [],
  )
  return new Set(rows.map(({ name }) => name))
}
