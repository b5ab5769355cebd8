import { addIndex } from './add-index.js'
import type { Step } from './schema-dialect.js'

const table = 'account_imports'
const supplier = ['organisation', 'import_supplier', 'state']

const indexes: readonly [name: string, columns: readonly string[]][] = [
  // Staged imports in the order in which they are processed: oldest first.
  ['account_imports_staged', [...supplier, 'first_staged_at', 'external_account_number']],
  // All that a summary counts, in the order of its groups: a million imports are counted in one pass over it.
  ['account_imports_summary', [...supplier, 'latest_failure_code', 'claim_expires_at']],
]

export const up: Step = async (knex, schema) => {
  for (const [name, columns] of indexes) await addIndex(knex, schema, table, columns, name)
}
