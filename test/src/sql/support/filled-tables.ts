import {
  type AccountImportList,
  type Instant,
  instantOf,
  type StagedImport,
  type StorePorts,
} from '@account-import/core'
import { E, pipe } from '@account-import/core/fp'
import type { Opened } from './databases.js'
import { keyOf } from './imports.js'
import { inPieces, type Read } from './plans.js'

// Tables with many rows, and reads of their pages.

const suppliers = ['LEVANTE', 'PONIENTE']

const importKeyOf = (import_supplier: string, index: number) => ({
  organisation: 'ACME',
  import_supplier,
  external_account_number: `A-${String(index).padStart(6, '0')}`,
})

/** The properties of the import of a created account. */
const createdAs = (platform_account_number: string) => ({
  state: 'created',
  platform_account_number,
  account_created_at: '2026-11-21 02:15:13.123',
  created_version: 1,
  created_format: 1,
  operations_team: 'Team',
})

const importRow = (supplier: string, index: number) => ({
  ...importKeyOf(supplier, index),
  staged_version: 1,
  skipped: 0,
  holds_slot: 0,
  attempts: 0,
  additions: 0,
})

export const lists: readonly AccountImportList[] = ['all', 'pending', 'imported']
const states = ['staged', 'created', 'skipped', 'none'] as const

/** 6,500 imports of each of two suppliers, in all states. */
export const fillImports = async ({ knex }: Opened): Promise<void> => {
  for (const supplier of suppliers)
    await inPieces(6500, async (indices) => {
      const rows = indices.map((index) => {
        const state = states[index % 4] ?? 'none'
        return {
          ...importRow(supplier, index),
          staged_version: state === 'none' ? 0 : 1,
          state,
          first_staged_at: `2026-11-21 00:00:${String(Math.trunc(index / 300)).padStart(2, '0')}.000`,
          skipped: state === 'skipped' ? 1 : 0,
          platform_account_number: state === 'created' ? `P-${supplier}-${index}` : null,
          account_created_at: state === 'created' ? '2026-11-21 02:15:13.123' : null,
        }
      })
      await knex('account_imports').insert(rows)
    })
}

export const pageOf =
  (list: AccountImportList, after?: string): Read =>
  ({ accountImports }) =>
    accountImports.page({ ...keyOf(''), list, after, limit: 100 })

const at = (second: number): Instant => `2026-11-21T00:00:${String(second).padStart(2, '0')}.000Z` as Instant

export const stagedAfter =
  (after?: StagedImport): Read =>
  ({ accountImports }) =>
    accountImports.stagedPage({ ...keyOf(''), until: at(59), limit: 100, ...(after && { after }) })

export const summary = ({ accountImports }: StorePorts) => accountImports.summary('ACME', 'LEVANTE', at(0))

/** Within those of an instant, of which there are 75, and at the end of them. */
export const middle = { externalAccountNumber: 'A-005700', firstStagedAt: at(19) }
export const last = { externalAccountNumber: 'A-005996', firstStagedAt: at(19) }

const isCreated = (index: number): boolean => index % 2 === 0

const itemRow = (key: object, kind: string, content: object) => {
  const identity = { kind, ordinal: 0, identity: 'I', copy: 0 }
  return { ...key, ...identity, content: JSON.stringify(content) }
}

const documentRows = (supplier: string, indices: readonly number[]) => ({
  account_imports: indices.map((index) => ({
    ...importRow(supplier, index),
    ...(isCreated(index) ? { ...createdAs(`P-${supplier}-${index}`), additions: 2 } : { state: 'staged' }),
    payload: JSON.stringify({ notes: [{ document_paths: [{ document_path: `staged-${index}.pdf` }] }] }),
  })),
  account_items: indices.filter(isCreated).flatMap((index) => {
    const key = importKeyOf(supplier, index)
    return [
      itemRow(key, 'note', { document_paths: [{ document_path: `note-${index}.pdf` }] }),
      itemRow(key, 'statement', { statement_path: `statement-${index}.pdf` }),
    ]
  }),
})

/** Imports of two suppliers that name documents, every second one created. */
export const fillDocuments = async ({ knex }: Opened): Promise<void> => {
  for (const supplier of suppliers)
    await inPieces(2500, async (indices) => {
      for (const [table, rows] of Object.entries(documentRows(supplier, indices)))
        await knex(table).insert(rows)
    })
}

export const documentsAfter =
  (after?: string) =>
  ({ documentReferences }: StorePorts) =>
    documentReferences.page({ organisation: 'ACME', importSupplier: 'LEVANTE', after, limit: 100 })

export const places = [undefined, 'A-002300']

export const accountsAfter =
  (after?: string): Read =>
  async ({ accounts }) =>
    pipe(
      await accounts.page({ organisation: 'ACME', importSupplier: 'LEVANTE', after, limit: 100 }),
      E.map(({ items }) => items),
    )

export const now = instantOf(Date.parse('2026-11-21T02:15:13.123Z'))
const past = '2026-11-20 00:00:00.000'
const future = '2026-11-22 00:00:00.000'

const emailStates = [
  { state: 'sent', due_at: null, settled_at: past },
  { state: 'parked', due_at: null, settled_at: past },
  { state: 'waiting', due_at: future, settled_at: null },
  { state: 'waiting', due_at: past, settled_at: null },
]

/** E-mails in all states, with an account for each. */
export const fillEmails = async ({ knex }: Opened): Promise<void> => {
  const supplier = { organisation: 'ACME', import_supplier: 'LEVANTE' }
  await inPieces(6000, async (indices) => {
    await knex('customer_emails').insert(
      indices.map((index) => ({
        ...supplier,
        external_account_number: `A-${String(index).padStart(7, '0')}`,
        platform_account_number: `P-${index}`,
        id: `id${index}`,
        language: 'es',
        enqueued_at: past,
        attempts: 0,
        served: '[]',
        ...emailStates[index % 4],
      })),
    )
    await knex('account_imports').insert(
      indices.map((index) => ({
        ...importRow('LEVANTE', index),
        external_account_number: `A-${String(index).padStart(7, '0')}`,
        ...createdAs(`P-${index}`),
        payload: JSON.stringify({
          customers: [{ account_roles: ['ACCOUNT_HOLDER'], email: `c${index}@example.com` }],
        }),
      })),
    )
  })
}

export const emailPage =
  (list: 'parked' | 'waiting' | undefined, after: string | undefined): Read =>
  ({ outbox }) =>
    outbox.page({ organisation: 'ACME', importSupplier: 'LEVANTE', list, after, limit: 100 })
