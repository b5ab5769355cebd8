import { type AuditEntry, noOrganisation, type SealedEntry } from '../domain/audit-entry.js'
import { E, type Either, pipe, TE } from '../fp.js'
import type { AuditFilter, ChainHead, Sealing } from '../ports/audit-trail.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import { compareCodePoints } from '../values/compare.js'
import type { OperatorRefusal, UseCaseResult } from './errors.js'
import { supplierByCode } from './operator/suppliers.js'
import { inTurn, mapped, pagesOf } from './pages.js'

/** As `AuditFilter`; without organisation and supplier: all entries, also those without an organisation. */
export type WantedEntries = Omit<AuditFilter, 'organisation'> &
  Readonly<{ organisation?: string | undefined }>

/** An entry, with its number and hash once it is sealed. */
export type ListedEntry = Readonly<{ entry: AuditEntry; sequence?: number; hash?: string }>

/** The end of a chain as `heads` once returned it; at least its hash. */
export type KnownHead = Readonly<{
  organisation?: string | undefined
  sequence?: number | undefined
  hash: string
}>

/**
 * The fault of a chain. `entries_missing`: `entries` are missing from number `sequence` on; `entry_changed`: the entry differs
 * from the sealed one; `key_missing`: entries from `sequence` on were sealed with a key that is missing, so that they cannot be
 * checked (once for each key; `key` is its id); `head_missing`: no chain contains this former end: the chain was cut or replaced.
 */
export type ChainBreak =
  | Readonly<{ kind: 'entries_missing'; organisation: string; sequence: number; entries: number }>
  | Readonly<{ kind: 'entry_changed'; organisation: string; sequence: number }>
  | Readonly<{ kind: 'key_missing'; organisation: string; sequence: number; key: string }>
  | (Readonly<{ kind: 'head_missing' }> & KnownHead)

/** The faults of the next entries; `organisation` is undefined for heads that are in no chain. */
export type ChainChecked = Readonly<{
  organisation: string | undefined
  entries: number
  breaks: readonly ChainBreak[]
}>

/** The audit trail. */
export type AuditUseCases = Readonly<{
  /** Seals about `limit` (1 to 1000) entries; programs without the bundled server call this every few seconds. */
  seal(limit: number): UseCaseResult<never, Sealing>
  /** Page by page; a Left ends the iteration. */
  list(
    wanted: WantedEntries,
  ): UseCaseResult<OperatorRefusal, AsyncIterable<Either<PortFailure, readonly ListedEntry[]>>>
  /**
   * The ends of all chains. Stored out of reach of those who can write to the database, they show later that nothing was cut off.
   */
  heads(): UseCaseResult<never, readonly ChainHead[]>
  /** Checks all chains, or one, in constant memory; a Left ends the iteration. `heads`: ends that the chains must contain. */
  verify(
    input: Readonly<{ organisation?: string | undefined; heads: readonly KnownHead[] }>,
  ): UseCaseResult<never, AsyncIterable<Either<PortFailure, ChainChecked>>>
  /**
   * Does work of an operator that is no use case, with the same audit events as the operator's use cases: one with this name
   * before it begins, without which it does not begin, and one with its outcome.
   */
  recorded<R extends Readonly<{ _tag: string }>, A>(
    name: string,
    work: UseCaseResult<R, A>,
  ): UseCaseResult<R, A>
}>

type AuditPorts = Pick<Ports, 'auditTrail' | 'organisations' | 'importSuppliers'>

const pageLength = 500

/** Unsealed entries that are read at most: as long as sealing runs, there are seldom more. */
const mostUnsealed = 1000

/** The organisations whose entries are listed: all and `noOrganisation`, unless an organisation or a supplier is named. */
const organisationsOf = (
  { auditTrail, organisations, importSuppliers }: AuditPorts,
  { organisation, importSupplier }: WantedEntries,
): UseCaseResult<OperatorRefusal, readonly string[]> => {
  if (organisation !== undefined) return TE.right([organisation])
  if (importSupplier !== undefined)
    return pipe(
      supplierByCode({ importSuppliers }, importSupplier),
      TE.map((supplier) => [supplier.organisation]),
    )
  return pipe(
    auditTrail.heads(),
    TE.bindTo('heads'),
    TE.bind('registered', () => organisations.list()),
    TE.map(({ heads, registered }) => {
      const codes = [
        noOrganisation,
        ...heads.map((head) => head.organisation),
        ...registered.map(({ code }) => code),
      ]
      return [...new Set(codes)].sort(compareCodePoints)
    }),
  )
}

const entriesOf = (
  { auditTrail }: AuditPorts,
  wanted: WantedEntries,
  organisations: readonly string[],
): AsyncIterable<Either<PortFailure, readonly ListedEntry[]>> =>
  inTurn(organisations, (organisation) => {
    const filter = { ...wanted, organisation }
    const sealed = pagesOf<SealedEntry>(
      (last, limit) => auditTrail.sealed(filter, last?.sequence ?? 0, limit),
      pageLength,
    )
    const waiting = pipe(
      auditTrail.unsealed(filter, mostUnsealed),
      TE.map((entries) => entries.map((entry): ListedEntry => ({ entry }))),
    )
    return mapped(sealed, (page): Either<PortFailure, readonly ListedEntry[]> => page, waiting)
  })

/** The entries by organisation, page by page: sealed ones by their numbers, then unsealed ones. */
const listEntries =
  (ports: AuditPorts): AuditUseCases['list'] =>
  (wanted) =>
    pipe(
      organisationsOf(ports, wanted),
      TE.map((organisations) => entriesOf(ports, wanted, organisations)),
    )

type ChainPorts = Pick<Ports, 'auditTrail'>

const chainPageLength = 1000

/** The last checked entry of a chain, which the next entry follows, and the missing keys that were reported. */
type Seen = { sequence: number; hash: string; missingKeys: Set<string> }

/** The fault of an entry. After missing entries the previous hash is unknown, so the entry itself is not checked. */
const breakAt = async (
  { auditTrail }: ChainPorts,
  organisation: string,
  seen: Seen,
  sealed: SealedEntry,
): Promise<Either<PortFailure, readonly ChainBreak[]>> => {
  const { sequence } = sealed
  const first = seen.sequence + 1
  if (sequence !== first)
    return E.right([{ kind: 'entries_missing', organisation, sequence: first, entries: sequence - first }])
  const check = await auditTrail.checkSeal(seen.hash, sealed)()
  if (E.isLeft(check)) return check
  if (check.right._tag === 'intact') return E.right([])
  if (check.right._tag === 'changed') return E.right([{ kind: 'entry_changed', organisation, sequence }])
  const { key } = check.right
  const isKnown = seen.missingKeys.has(key)
  seen.missingKeys.add(key)
  return E.right(isKnown ? [] : [{ kind: 'key_missing', organisation, sequence, key }])
}

const isHead = (
  known: KnownHead,
  organisation: string,
  { sequence, hash }: Pick<SealedEntry, 'sequence' | 'hash'>,
): boolean =>
  known.hash === hash &&
  (known.organisation ?? organisation) === organisation &&
  (known.sequence ?? sequence) === sequence

/** Checks the next entries of a chain; removes known heads that it finds from `missing`. */
const checkedEntries = async (
  ports: ChainPorts,
  organisation: string,
  seen: Seen,
  entries: readonly SealedEntry[],
  missing: Set<KnownHead>,
): Promise<Either<PortFailure, ChainChecked>> => {
  const breaks: ChainBreak[] = []
  for (const sealed of entries) {
    const found = await breakAt(ports, organisation, seen, sealed)
    if (E.isLeft(found)) return found
    breaks.push(...found.right)
    Object.assign(seen, { sequence: sealed.sequence, hash: sealed.hash })
    for (const known of missing) if (isHead(known, organisation, sealed)) missing.delete(known)
  }
  return E.right({ organisation, entries: entries.length, breaks })
}

const checkedChains = (
  ports: ChainPorts,
  organisations: readonly string[],
  heads: readonly KnownHead[],
): AsyncIterable<Either<PortFailure, ChainChecked>> => {
  const missing = new Set(heads)
  const checkedChain = (organisation: string): AsyncIterable<Either<PortFailure, ChainChecked>> => {
    const seen: Seen = { sequence: 0, hash: '', missingKeys: new Set() }
    const pages = pagesOf<SealedEntry>(
      (last, limit) => ports.auditTrail.sealed({ organisation }, last?.sequence ?? 0, limit),
      chainPageLength,
    )
    return mapped(pages, (page) =>
      E.isLeft(page) ? page : checkedEntries(ports, organisation, seen, page.right, missing),
    )
  }
  return inTurn(organisations, checkedChain, () => {
    const breaks = [...missing].map((head): ChainBreak => ({ kind: 'head_missing', ...head }))
    return breaks.length === 0 ? undefined : { organisation: undefined, entries: 0, breaks }
  })
}

/** Checks every hash; keeps one page in memory. */
const verifyChains =
  (ports: ChainPorts): AuditUseCases['verify'] =>
  ({ organisation, heads }) =>
    pipe(
      ports.auditTrail.heads(),
      TE.map((ends) => {
        const all = ends.map((end) => end.organisation)
        const organisations = organisation === undefined ? all.toSorted(compareCodePoints) : [organisation]
        const wanted = heads.filter(
          (head) => (head.organisation ?? organisation) === (organisation ?? head.organisation),
        )
        return checkedChains(ports, organisations, wanted)
      }),
    )

/** The use cases that read and seal. */
export const makeAuditUseCases = (ports: Ports): Omit<AuditUseCases, 'recorded'> => ({
  seal: (limit) => ports.auditTrail.seal(limit),
  list: listEntries(ports),
  heads: () => ports.auditTrail.heads(),
  verify: verifyChains(ports),
})
