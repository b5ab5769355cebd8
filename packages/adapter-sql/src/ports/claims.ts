import type { ClaimOutcome, ClaimRelease, ClaimRequest } from '@account-import/core'
import { refusalOf } from '@account-import/core/adapter-kit'
import { inBatches } from '../sql/batches.js'
import { instant } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { accountImportOf, type LockedImport, lockImports, byImport, updateImports } from './import-rows.js'
import { freeSlots, takeSlots } from './slots.js'

/** `taken`: by an earlier call, whose commit was reported as failed. */
const decide = (
  row: LockedImport | undefined,
  { token, at }: ClaimRequest,
): ClaimOutcome | 'take' | 'taken' => {
  if (row?.claim_token === token) return 'taken'
  const refusal = row && refusalOf(accountImportOf(row), at)
  if (refusal !== undefined) return refusal
  return row === undefined || row.staged_version === 0 ? { _tag: 'not_staged' } : 'take'
}

const write = (db: Db, claims: readonly ClaimRequest[], holdsSlot: boolean): Promise<unknown> =>
  updateImports(db, claims, {
    set: 'holds_slot = ?',
    values: [Number(holdsSlot)],
    each: {
      'claim_token =': ({ token }) => token,
      'claim_expires_at =': ({ expiresAt }) => instant.write(expiresAt),
      'attempts = attempts +': ({ countsAsAttempt }) => Number(countsAsAttempt),
    },
  })

/** Locks the imports, decides, and takes the claims. With a limit each claim needs a slot. */
const claimBatch = async (
  db: Db,
  requests: readonly ClaimRequest[],
  limit: number | undefined,
): Promise<readonly ClaimOutcome[]> => {
  const rowOf = await lockImports(
    db,
    requests.map(({ key }) => key),
  )
  const decided = requests.map((request) => decide(rowOf(request.key), request))
  const wanted = requests.filter((_, index) => decided[index] === 'take')
  const taken = limit === undefined ? wanted : await takeSlots(db, wanted, limit)
  if (taken.length > 0) await write(db, taken, limit !== undefined)
  return requests.map((request, index): ClaimOutcome => {
    const outcome = decided[index] as (typeof decided)[number]
    if (typeof outcome === 'object') return outcome
    return { _tag: outcome === 'taken' || taken.includes(request) ? 'claimed' : 'over_limit' }
  })
}

/** Whether a failure is stored: the data still waits for an account, and no other caller has claimed it. */
const isPending = (row: LockedImport, { token, failure }: ClaimRelease): boolean => {
  if (failure === undefined || row.staged_version === 0) return false
  const refusal = refusalOf(accountImportOf(row), failure.at)
  return refusal === undefined || (refusal._tag === 'in_progress' && row.claim_token === token)
}

type Failure = NonNullable<ClaimRelease['failure']>
type Failed = ClaimRelease & Readonly<{ row: LockedImport; failure: Failure }>

/** Ends the claims that their tokens still have, and stores the failures. */
const releaseBatch = async (db: Db, releases: readonly ClaimRelease[]): Promise<void> => {
  const rowOf = await lockImports(
    db,
    releases.map(({ key }) => key),
  )
  const all = releases.flatMap((release) => {
    const row = rowOf(release.key)
    const isLost = release.token !== undefined && row?.claim_token !== release.token
    return row === undefined || isLost ? [] : [{ ...release, row }]
  })
  const ended = all.filter(({ token }) => token !== undefined)
  const failed = all.filter((each): each is Failed => isPending(each.row, each))
  if (ended.length > 0)
    await updateImports(db, ended, { set: 'claim_token = NULL, claim_expires_at = NULL, holds_slot = 0' })
  if (failed.length > 0)
    await updateImports(db, failed, {
      event: ({ failure: { at, code: subject }, by }) => ({ at, what: 'failed', by, subject }),
      each: {
        'latest_failure_code =': ({ failure }) => failure.code,
        'latest_failure_at =': ({ failure }) => instant.write(failure.at),
        'attempts = attempts +': ({ token }) => (token === undefined ? 1 : 0),
      },
    })
  await freeSlots(
    db,
    ended.map(({ row }) => row),
  )
}

type Limited = Readonly<{ request: ClaimRequest; limit: number | undefined }>

/** The operations of the imports on claims. Claims that wait at the same time are joined. */
export const sqlClaims = (session: Session) => {
  const claim = inBatches<Limited, ClaimOutcome>(
    session,
    (claims, { transaction }) =>
      transaction((db) =>
        claimBatch(
          db,
          claims.map(({ request }) => request),
          claims[0]?.limit,
        ),
      ),
    {
      work: 'claim',
      owner: ({ request }) => byImport.owner(request),
      most: 64,
      group: ({ request, limit }) => `${limit} ${byImport.group(request)}`,
      name: ({ request }) => byImport.name(request),
    },
  )
  return {
    claim: (requests: readonly ClaimRequest[], limit: number | undefined) =>
      claim(requests.map((request) => ({ request, limit }))),
    release: session.inTransaction(releaseBatch),
  }
}
