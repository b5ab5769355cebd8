import { countedImport, summaryOf } from '../domain/account-import.js'
import { accountKeyText } from '../domain/account-key.js'
import type {
  AccountImportList,
  AccountImportListItem,
  AccountImports,
  ClaimRequest,
  PageRequest,
  StagedImport,
  StagedPageRequest,
  StagedPayload,
  Staging,
} from '../ports/account-imports.js'
import type { AccountsPageRequest } from '../ports/accounts.js'
import { portCall } from '../ports/port-failure.js'
import { compareCodePoints } from '../values/compare-code-points.js'
import type { Instant } from '../values/instant.js'
import { claimRow, completeRow, findImport, isPending, releaseRow, skipRow, stageRow } from './import-rows.js'
import type { ImportRow, Memory, Tables } from './memory.js'
import { supplierIn, teamIn } from './registers.js'

const compare = (a: StagedImport, b: StagedImport): number =>
  compareCodePoints(a.firstStagedAt, b.firstStagedAt) ||
  compareCodePoints(a.externalAccountNumber, b.externalAccountNumber)

/** One page, oldest first; looks at all imports of the supplier. */
const stagedPageOf = (
  memory: Memory,
  { organisation, importSupplier, until, after, limit }: StagedPageRequest,
): readonly StagedImport[] => {
  const items: StagedImport[] = []
  for (const externalAccountNumber of memory.numbers(organisation, importSupplier).after(undefined)) {
    const row = memory.tables.imports.get(
      accountKeyText({ organisation, importSupplier, externalAccountNumber }),
    )
    if (row?.firstStagedAt === undefined || row.firstStagedAt > until || !isPending(row)) continue
    const item = { externalAccountNumber, firstStagedAt: row.firstStagedAt }
    if (after === undefined || compare(item, after) > 0) items.push(item)
  }
  return items.toSorted(compare).slice(0, limit)
}

/** Runs a change: at once inside a unit of work, in a turn of its own outside. */
type Change = Memory['change']

const belongsTo: Record<AccountImportList, (row: ImportRow) => boolean> = {
  all: (row) => row.stagedVersion > 0 || row.created !== undefined,
  pending: isPending,
  imported: (row) => row.created !== undefined,
}

const itemOf = ({ key, created }: ImportRow): AccountImportListItem => ({
  externalAccountNumber: key.externalAccountNumber,
  platformAccountNumber: created?.platformAccountNumber,
  accountCreatedAt: created?.createdAt,
})

const pageOf = (memory: Memory, { list, after, limit, ...supplier }: PageRequest) => {
  const items: AccountImportListItem[] = []
  for (const externalAccountNumber of memory
    .numbers(supplier.organisation, supplier.importSupplier)
    .after(after)) {
    const row = memory.tables.imports.get(accountKeyText({ ...supplier, externalAccountNumber }))
    if (row !== undefined && belongsTo[list](row)) items.push(itemOf(row))
    if (items.length === limit) break
  }
  return items
}

const stagedPayloadsOf = (
  { tables, numbers }: Memory,
  { organisation, importSupplier, after, limit }: AccountsPageRequest,
): readonly StagedPayload[] => {
  const found: StagedPayload[] = []
  for (const externalAccountNumber of numbers(organisation, importSupplier).after(after)) {
    const row = tables.imports.get(accountKeyText({ organisation, importSupplier, externalAccountNumber }))
    if (row?.payload !== undefined && isPending(row))
      found.push({ externalAccountNumber, payload: row.payload })
    if (found.length === limit) break
  }
  return found
}

const summaryIn = ({ tables, numbers }: Memory, organisation: string, importSupplier: string, at: Instant) =>
  summaryOf(
    [...numbers(organisation, importSupplier).after(undefined)].flatMap((externalAccountNumber) => {
      const found = findImport(tables, { organisation, importSupplier, externalAccountNumber })
      return found === undefined ? [] : countedImport(found, at)
    }),
  )

/** Whether the staging hangs on no revision of its supplier, or on the one that the supplier has. */
const isBySupplier = (
  { suppliers }: Memory,
  { key, supplierRevision }: Pick<Staging, 'key' | 'supplierRevision'>,
): boolean =>
  supplierRevision === undefined ||
  supplierIn(suppliers, key.organisation, key.importSupplier)?.revision === supplierRevision

const isMet = (memory: Memory, { key, precondition }: ClaimRequest): boolean =>
  precondition === undefined ||
  (isBySupplier(memory, { key, supplierRevision: precondition.supplierRevision }) &&
    teamIn(memory, precondition.operationsTeam, key.organisation))

const call = portCall('accountImports')

/** Account imports on the given tables; pages show what is committed. */
const accountImportsOn = (memory: Memory, tables: Tables, change: Change): AccountImports => ({
  find: (key) => call('find', async () => findImport(tables, key)),
  stage: (stagings) =>
    call('stage', async () => {
      const hashed = await Promise.all(
        stagings.map(async (staging) => ({ ...staging, hash: await memory.hash(staging.payload) })),
      )
      return change((own) =>
        hashed.map((staging) =>
          isBySupplier(memory, staging) ? stageRow(own, staging) : { _tag: 'supplier_changed' },
        ),
      )
    }),
  staged: (key) =>
    call('staged', async () => {
      const row = tables.imports.get(accountKeyText(key))
      return row?.payload === undefined ? undefined : { version: row.stagedVersion, payload: row.payload }
    }),
  claim: (requests, limit) =>
    call('claim', () =>
      change((own) =>
        requests.map((request) =>
          isMet(memory, request) ? claimRow(own, request, limit) : { _tag: 'precondition_failed' },
        ),
      ),
    ),
  complete: (completions) =>
    call('complete', async () => {
      const hashed = await Promise.all(
        completions.map(async (completion) => ({
          ...completion,
          hash: await memory.hash(completion.platformAccountNumber),
        })),
      )
      return change((own) => hashed.map((completion) => completeRow(own, completion)))
    }),
  release: (releases) =>
    call('release', () => change((own) => releases.forEach((release) => releaseRow(own, release)))),
  page: (request) => call('page', async () => pageOf(memory, request)),
  stagedPage: (request) => call('stagedPage', async () => stagedPageOf(memory, request)),
  stagedPayloads: (request) => call('stagedPayloads', async () => stagedPayloadsOf(memory, request)),
  summary: (...request) => call('summary', async () => summaryIn(memory, ...request)),
  setSkipped: (key, skipped, at, by) =>
    call('setSkipped', () => change((own) => skipRow(own, { key, skipped, at, by }))),
})

export const inMemoryAccountImports = (memory: Memory): AccountImports =>
  accountImportsOn(memory, memory.tables, memory.change)

export const accountImportsWithin = (memory: Memory, tables: Tables): AccountImports =>
  accountImportsOn(memory, tables, async (change) => change(tables))
