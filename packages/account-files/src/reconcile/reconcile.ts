import type { Client, Failure } from '@account-import/client'
import { builtInSettings } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import type { CheckContext } from '@account-import/core/payloads'
import type { Piece } from '../lines/pieces.js'
import {
  type Compared,
  Comparison,
  type Excluded,
  type DigestOf,
  differingPaths,
  type FileAccount,
  type Parts,
  readAccounts,
  type ReadFile,
  type Visitor,
} from './compare.js'
import { type Controls, type Proof, proofOf } from './proof.js'

/** A file that is read twice. `facts`: those of the bytes, after all pieces were read. */
export type ReadableFile = Readonly<{
  name: string
  read(): Promise<Readonly<{ pieces: AsyncIterable<Piece>; facts(): Pick<ReadFile, 'bytes' | 'sha256'> }>>
}>

/** `by`, `version`, `url`: the user, the version of the rules and the service, for the proof. */
export type Reconciliation = Readonly<{
  client: Client
  files: readonly ReadableFile[]
  supplier: string
  /** A context that accepts each line that any settings of a supplier accept; see `readingSettings`. */
  context: CheckContext
  controls: Controls
  excluded?: Excluded | undefined
  by: string
  version: string
  url: string
  digestOf: DigestOf
  /** For the numbers and digests of all accounts. */
  parts: Parts
}>

/** A failure of the service, or a file that changed while it was compared. */
export type NotReconciled =
  | Readonly<{ kind: 'service'; failure: Failure }>
  | Readonly<{ kind: 'changed'; detail: string }>

/** No setting of a supplier accepts more lines than these: without rules of markets and closed lists. */
export const readingSettings: CheckContext['settings'] = { ...builtInSettings, markets: [] }

const ofService = (failure: Failure): NotReconciled => ({ kind: 'service', failure })

const pageSize = 200

/** The most differing accounts that are examined: one request for each. */
const mostExplained = 200

const readFiles = async (
  { files, context }: Reconciliation,
  visitorOf: (file: number) => Visitor,
  stop: AbortSignal,
): Promise<readonly ReadFile[]> => {
  const read: ReadFile[] = []
  for (const [at, { name, read: open }] of files.entries()) {
    const { pieces, facts } = await open()
    const lines = await readAccounts(pieces, context, visitorOf(at), stop)
    read.push({ name, ...facts(), ...lines })
  }
  return read
}

const ignore = (): void => undefined

/** Requests the differing fields of accounts that differ, and leaves out those that differ by additions alone. */
const explained = async (
  job: Reconciliation,
  { differing, grown }: Compared,
  files: readonly ReadFile[],
  stop: AbortSignal,
): Promise<Either<NotReconciled, Proof['different']>> => {
  const numbers = new Set(differing.named.slice(0, mostExplained))
  const accounts = new Map<string, FileAccount>()
  if (numbers.size > 0) {
    const again = await readFiles(
      job,
      () => ({
        account: (account) => {
          if (account.supplier === job.supplier && numbers.has(account.number))
            accounts.set(account.number, account)
        },
        invalid: ignore,
      }),
      stop,
    )
    if (again.some(({ sha256 }, place) => sha256 !== files[place]?.sha256))
      return E.left({
        kind: 'changed',
        detail: 'A file changed while it was compared. Reconcile again when the file no longer changes.',
      })
  }
  const named: Proof['different']['named'][number][] = []
  let onlyGrown = 0
  for (const account of [...numbers].flatMap((number) => accounts.get(number) ?? [])) {
    const fields = await job.client.fieldDigests(job.supplier, account.number, { signal: stop })
    // An account that was undone meanwhile has no values.
    if (!fields.ok && fields.code !== 'import_process_does_not_exist') return E.left(ofService(fields))
    const paths = fields.ok
      ? differingPaths(account, fields.body, grown.has(account.number), job.digestOf)
      : ['']
    if (paths.length === 0 && grown.has(account.number)) onlyGrown += 1
    else named.push({ number: account.number, paths })
  }
  const rest = differing.named.slice(mostExplained).map((number) => ({ number }))
  return E.right({ count: differing.count - onlyGrown, named: [...named, ...rest] })
}

/**
 * Reads the files while the service computes digests, so that both work at the same time. The first failure ends both. The first
 * request follows the first account: an unreadable file fails without a request.
 */
const visitBoth = async (
  job: Reconciliation,
  comparison: Comparison,
  stop: AbortSignal,
): Promise<Either<NotReconciled, readonly ReadFile[]>> => {
  const [unlisted, unread] = [new AbortController(), new AbortController()]
  const list = async (): Promise<NotReconciled | undefined> => {
    const signal = AbortSignal.any([stop, unread.signal])
    for await (const page of job.client.accountDigestPages(
      { importSupplier: job.supplier, limit: pageSize },
      { signal },
    )) {
      if (!page.ok) return ofService(page)
      for (const digest of page.body) comparison.addFromService(digest)
    }
    return undefined
  }
  let listed: Promise<NotReconciled | undefined> | undefined
  const begin = (): Promise<NotReconciled | undefined> => {
    const listing = list()
    listing.then(
      (failure) => failure && unlisted.abort(),
      () => unlisted.abort(),
    )
    return listing
  }
  const visitorOf = (file: number): Visitor => ({
    account: (account) => {
      listed ??= begin()
      comparison.addFromFile(account, file)
    },
    invalid: (line) => comparison.addInvalid(line, file),
  })
  try {
    const files = await readFiles(job, visitorOf, AbortSignal.any([stop, unlisted.signal]))
    const failure = await (listed ?? begin())
    return failure === undefined ? E.right(files) : E.left(failure)
  } catch (cause) {
    const isEndedByService = unlisted.signal.aborted && !stop.aborted
    unread.abort()
    const failure = await listed
    if (isEndedByService && failure !== undefined) return E.left(failure)
    throw cause
  }
}

/**
 * Compares the accounts of files with those of the service, by digests. Rejects with a `FileFailure` where a file cannot be read,
 * and when `stop` is aborted.
 */
export const reconciled = async (
  job: Reconciliation,
  stop: AbortSignal,
): Promise<Either<NotReconciled, Proof>> => {
  const { supplier, by, version, url } = job
  const comparison = new Comparison(supplier, job.digestOf, job.parts, job.excluded)
  const files = await visitBoth(job, comparison, stop)
  if (E.isLeft(files)) return files
  const found = comparison.compared(job.files.map(({ name }) => name))
  const different = await explained(job, found, files.right, stop)
  if (E.isLeft(different)) return different
  const run = { supplier, files: files.right, by, at: new Date().toISOString(), version, url }
  return E.right(proofOf(comparison, found, run, different.right, job.controls))
}
