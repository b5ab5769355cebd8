import {
  portCall,
  type AccountImport,
  type AccountImportList,
  type AccountImports,
  type AccountKey,
  type Actor,
  type AuditEntry,
  type ClaimOutcome,
  type ClaimRelease,
  type ClaimRequest,
  type ComparedData,
  type Completion,
  type Instant,
  type StageOutcome,
  largeAccountBytes,
  type Staging,
  storedPageOf,
} from '@account-import/core'
import {
  accountKeyText,
  countedImport,
  isSameJson,
  refusalOf,
  summaryOf,
  unnamedActor,
} from '@account-import/core/adapter-kit'
import { putEntries, sha256 } from './audit-trail.js'
import { isErased } from './is-erased.js'
import { mayName } from './operations-teams.js'
import { oneMore, pageOf, stagedPageOf } from './pages.js'
import { supplierOf } from './registers.js'
import type { Access } from './turns.js'
import type { Rows, View } from './view.js'

type Row = Rows['imports']

const unknown = (key: AccountKey): Row => ({
  key,
  stagedVersion: 0,
  skipped: false,
  claim: undefined,
  attempts: 0,
  latestFailure: undefined,
  created: undefined,
  payload: '',
})

export const importOf = (row: Row): AccountImport => {
  const { key, stagedVersion, skipped, claim, attempts, latestFailure, created } = row
  return { key, stagedVersion, skipped, claim, attempts, latestFailure, created }
}

const rowOf = (view: View, key: AccountKey): Row => view.get('imports', accountKeyText(key)) ?? unknown(key)

const save = (view: View, row: Row): void => view.put('imports', accountKeyText(row.key), row)

type Change = Pick<AuditEntry, 'at' | 'what' | 'subject' | 'after'> & Readonly<{ by: Actor | undefined }>

/** Records a change of an import, with the hash of its payload before. */
export const record = (
  view: View,
  { key, payloadHash }: Row,
  { by = unnamedActor, ...change }: Change,
): void => putEntries(view, [{ ...key, ...change, by, before: payloadHash }])

/** Whether the supplier has the revision; true where none is named. */
const isAtRevision = (view: View, key: AccountKey, revision: string | undefined): boolean =>
  revision === undefined || supplierOf(view, key.organisation, key.importSupplier)?.revision === revision

const stage = (view: View, { key, payload, at, supplierRevision, by, importRun }: Staging): StageOutcome => {
  if (!isAtRevision(view, key, supplierRevision)) return { _tag: 'supplier_changed' }
  const row = rowOf(view, key)
  const refused = refusalOf(row, at)
  if (refused) return refused
  const version = row.stagedVersion + 1
  const payloadHash = sha256(payload)
  record(view, row, { at, what: version === 1 ? 'staged' : 'restaged', by, after: payloadHash })
  save(view, {
    ...row,
    stagedVersion: version,
    payload,
    payloadHash,
    claim: undefined,
    firstStagedAt: row.firstStagedAt ?? at,
    stagedAt: at,
    importRun,
  })
  return { _tag: version === 1 ? 'created' : 'replaced', version }
}

const sameData = (view: View, { key, payload }: ComparedData): boolean | undefined => {
  const row = rowOf(view, key)
  if (row.created === undefined || isErased(row)) return undefined
  if (payload === undefined || sha256(payload) === row.payloadHash) return true
  return row.payload !== '' && isSameJson(payload, row.payload)
}

const isMet = (view: View, { key, precondition: asked }: ClaimRequest): boolean =>
  isAtRevision(view, key, asked?.supplierRevision) &&
  (asked === undefined || mayName(view, key.organisation, asked.operationsTeam))

const claim = (view: View, request: ClaimRequest, limit = Infinity): ClaimOutcome => {
  if (!isMet(view, request)) return { _tag: 'precondition_failed' }
  const { key, token, at, expiresAt, countsAsAttempt } = request
  const row = rowOf(view, key)
  const refused = refusalOf(row, at)
  if (refused) return refused
  if (row.stagedVersion === 0) return { _tag: 'not_staged' }
  const live =
    limit === Infinity ? [] : view.rows('imports').filter((each) => (each.claim?.expiresAt ?? '') > at)
  if (live.length >= limit) return { _tag: 'over_limit' }
  save(view, { ...row, attempts: row.attempts + (countsAsAttempt ? 1 : 0), claim: { token, expiresAt } })
  const payload = row.payload.length > largeAccountBytes ? undefined : row.payload
  return { _tag: 'claimed', version: row.stagedVersion, payload }
}

const complete = (view: View, completion: Completion): 'completed' | 'claim_lost' => {
  const { key, token, platformAccountNumber, at: createdAt, by } = completion
  const row = rowOf(view, key)
  if (row.claim?.token !== token) return 'claim_lost'
  const created = { platformAccountNumber, createdAt, stagedVersion: row.stagedVersion }
  const after = sha256(platformAccountNumber)
  record(view, row, { at: createdAt, what: 'created', by, subject: platformAccountNumber, after })
  save(view, { ...row, claim: undefined, latestFailure: undefined, created })
  return 'completed'
}

const release = (view: View, { key, token, failure, by }: ClaimRelease): void => {
  const row = rowOf(view, key)
  if (row.claim?.token !== token) return
  if (failure === undefined) return save(view, { ...row, claim: undefined })
  const { code, at } = failure
  record(view, row, { at, what: 'failed', by, subject: code })
  save(view, { ...row, claim: undefined, latestFailure: { code, occurredAt: at } })
}

const setSkipped = (view: View, key: AccountKey, skipped: boolean, at: Instant, by: Actor | undefined) => {
  const row = rowOf(view, key)
  const refused = refusalOf(row, at)
  if (refused && refused._tag !== 'marked_to_skip') return refused._tag
  if (row.skipped === skipped) return 'unchanged'
  record(view, row, { at, what: skipped ? 'skipped' : 'unskipped', by })
  save(view, { ...row, skipped, claim: undefined })
  return 'changed'
}

const belongsTo: Record<AccountImportList, (row: Row) => boolean> = {
  all: ({ stagedVersion }) => stagedVersion > 0,
  pending: ({ stagedVersion, created, skipped }) => stagedVersion > 0 && created === undefined && !skipped,
  imported: ({ created }) => created !== undefined,
}

const call = portCall('accountImports')

export const accountImports = ({ read, change }: Access): AccountImports => ({
  find: (key) =>
    call('find', () =>
      read((view) => {
        const row = view.get('imports', accountKeyText(key))
        return row && importOf(row)
      }),
    ),
  stage: (stagings) => call('stage', () => change((view) => stagings.map((each) => stage(view, each)))),
  staged: (key) =>
    call('staged', () =>
      read((view) => {
        const { stagedVersion: version, payload } = rowOf(view, key)
        return payload === '' ? undefined : { version, payload }
      }),
    ),
  sameData: (compared) =>
    call('sameData', () => read((view) => compared.map((each) => sameData(view, each)))),
  claim: (requests, limit) =>
    call('claim', () => change((view) => requests.map((each) => claim(view, each, limit)))),
  complete: (completions) =>
    call('complete', () => change((view) => completions.map((each) => complete(view, each)))),
  release: (releases) =>
    call('release', () =>
      change((view) => {
        for (const each of releases) release(view, each)
      }),
    ),
  page: (request) =>
    call('page', () =>
      read((view) =>
        pageOf(view.rows('imports').filter(belongsTo[request.list]), request).map(({ key, created }) => ({
          externalAccountNumber: key.externalAccountNumber,
          platformAccountNumber: created?.platformAccountNumber,
          accountCreatedAt: created?.createdAt,
        })),
      ),
    ),
  stagedPayloads: (request) =>
    call('stagedPayloads', () =>
      read((view) =>
        storedPageOf(
          pageOf(view.rows('imports').filter(belongsTo.pending), oneMore(request)).map(
            ({ key, payload }) => ({
              externalAccountNumber: key.externalAccountNumber,
              payload,
            }),
          ),
          request.limit,
          ({ payload }) => payload.length,
        ),
      ),
    ),
  stagedPage: (request) =>
    call('stagedPage', () =>
      read((view) => stagedPageOf(view.rows('imports').filter(belongsTo.pending), request)),
    ),
  summary: (organisation, importSupplier, at) =>
    call('summary', () =>
      read((view) =>
        summaryOf(
          view
            .rows('imports')
            .filter(({ key }) => key.organisation === organisation && key.importSupplier === importSupplier)
            .flatMap((row) => countedImport(row, at)),
        ),
      ),
    ),
  setSkipped: (key, skipped, at, by) =>
    call('setSkipped', () => change((view) => setSkipped(view, key, skipped, at, by))),
})
