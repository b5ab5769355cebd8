import type { Knex } from 'knex'
import { tables } from '../rows/tables.js'

/** What is kept with a data key, where it is encrypted: staged data, the details of accounts, answers that are kept. */
export const encryptedKinds = {
  staged_data: {
    table: tables.accountImports,
    key: ['organisation', 'import_supplier', 'external_account_number'],
  },
  accounts: { table: tables.accounts, key: ['organisation', 'import_supplier', 'external_account_number'] },
  kept_answers: { table: tables.keptAnswers, key: ['organisation', 'request'] },
} as const

export type EncryptedKind = keyof typeof encryptedKinds

/** How many of a kind hang on a key; `keyId` is absent for those that are not encrypted. */
export type KeyUse = Readonly<{ kind: EncryptedKind; keyId?: string; count: number }>

/** What there is to encrypt. */
const holdsSomething: Readonly<Record<EncryptedKind, string>> = {
  staged_data: 'payload IS NOT NULL',
  accounts: 'erased_at IS NULL',
  kept_answers: 'status IS NOT NULL',
}

type UseRow = Readonly<{ key_id: string | null; count: number | string }>

/** How much hangs on which key. Looks at every row; may run beside servers. Rejects with the driver's error. */
export const encryptionKeyUse = async (knex: Knex): Promise<readonly KeyUse[]> => {
  const uses: KeyUse[] = []
  for (const kind of Object.keys(encryptedKinds) as EncryptedKind[]) {
    const keyId = knex.raw("SUBSTR(data_key, 1, INSTR(data_key, ':') - 1)")
    const rows = (await knex(encryptedKinds[kind].table)
      .whereRaw(holdsSomething[kind])
      .groupBy('key_id')
      .orderBy('key_id')
      .select({ key_id: keyId })
      .count({ count: '*' })) as readonly UseRow[]
    for (const { key_id, count } of rows)
      uses.push({ kind, count: Number(count), ...(key_id !== null && { keyId: key_id }) })
  }
  return uses
}
