import {
  noOrganisation,
  type SealedBlock,
  type SealedEvent,
  type StoredEvent,
} from '../domain/audit-entry.js'
import { E, type Either, pipe } from '../fp.js'
import type { AuditFilter, ChainHead, ChainPart, Sealing } from '../ports/audit-trail.js'
import type { Ports } from '../ports/index.js'
import { isPortFailure, type PortFailure } from '../ports/port-failure.js'
import { compareCodePoints } from '../values/compare.js'
import type { OperatorRefusal, UseCaseResult } from '../checking/errors.js'
import { supplierByCode } from './suppliers.js'
import { foundIn, inTurn, pagesOf } from '../lists/pages.js'

/** As `AuditFilter`; without organisation and supplier: all entries, also those without an organisation. */
export type WantedEntries = Omit<AuditFilter, 'organisation'> &
  Readonly<{ organisation?: string | undefined }>

/** An event, with the number of its block once it is sealed. */
export type ListedEvent = StoredEvent & Readonly<{ block?: number }>

/** The end of a chain as `heads` once returned it; at least its hash. */
export type KnownHead = Readonly<{
  organisation?: string | undefined
  block?: number | undefined
  hash: string
}>

/**
 * The fault of a chain. `blocks_missing`: `blocks` are missing from number `block` on; `block_changed`: the events of the block, or
 * its hash, differ from the sealed ones; `outside_chain`: a block of this number is no part of the chain, which begins with 1, or
 * `events` claim to be sealed in a block that does not exist; `key_missing`: blocks from `block` on were sealed with a key that is
 * missing, so that they cannot be checked (once for each key; `key` is its id); `head_missing`: no chain contains this former end:
 * the chain was cut or replaced.
 */
export type ChainBreak =
  | Readonly<{ kind: 'blocks_missing'; organisation: string; block: number; blocks: number }>
  | Readonly<{ kind: 'block_changed'; organisation: string; block: number }>
  | Readonly<{ kind: 'outside_chain'; organisation: string; block: number; events: number }>
  | Readonly<{ kind: 'key_missing'; organisation: string; block: number; key: string }>
  | (Readonly<{ kind: 'head_missing' }> & KnownHead)

/** The faults of the next block; `organisation` is undefined for heads that are in no chain. */
export type ChainChecked = Readonly<{
  organisation: string | undefined
  events: number
  breaks: readonly ChainBreak[]
}>

/** The chains that are checked: that of an organisation, or all. `heads`: ends that the chains must contain. */
export type WantedChains = Readonly<{ organisation?: string | undefined; heads: readonly KnownHead[] }>

/** The audit trail. */
export type AuditUseCases = Readonly<{
  /** Seals the oldest events of each organisation (`AuditTrail.seal`); programs without the bundled server call this every few seconds. */
  seal(limit: number): UseCaseResult<never, Sealing>
  /** Page by page; a Left ends the iteration. */
  list(
    wanted: WantedEntries,
  ): UseCaseResult<OperatorRefusal, AsyncIterable<Either<PortFailure, readonly ListedEvent[]>>>
  /**
   * The ends of all chains. Stored out of reach of those who can write to the database, they show later that nothing was cut off.
   */
  heads(): UseCaseResult<never, readonly ChainHead[]>
  /** Checks all chains, or one, with the events that they seal, in constant memory; a Left ends the iteration. */
  verify(wanted: WantedChains): UseCaseResult<never, AsyncIterable<Either<PortFailure, ChainChecked>>>
  /**
   * Does work of an operator that is no use case, with the same audit events as the operator's use cases: one with this name
   * before it begins, without which it does not begin, and one with its outcome.
   */
  recorded<R extends Readonly<{ _tag: string }>, A>(
    name: string,
    work: () => UseCaseResult<R, A>,
  ): UseCaseResult<R, A>
}>

type AuditPorts = Pick<Ports, 'auditTrail' | 'organisations' | 'importSuppliers'>

const pageLength = 500

/** Unsealed events that are read at most: as long as sealing runs, there are seldom more. */
const mostUnsealed = 1000

/** The organisations whose entries are listed: all and `noOrganisation`, unless an organisation or a supplier is named. */
const organisationsOf = async (
  { auditTrail, organisations, importSuppliers }: AuditPorts,
  { organisation, importSupplier }: WantedEntries,
): UseCaseResult<OperatorRefusal, readonly string[]> => {
  if (organisation !== undefined) return E.right([organisation])
  if (importSupplier !== undefined)
    return pipe(
      await supplierByCode({ importSuppliers }, importSupplier),
      E.map((supplier) => [supplier.organisation]),
    )
  const recorded = await auditTrail.organisations()
  if (E.isLeft(recorded)) return recorded
  return pipe(
    await organisations.list(),
    E.map((registered) => {
      const codes = [noOrganisation, ...recorded.right, ...registered.map(({ code }) => code)]
      return [...new Set(codes)].sort(compareCodePoints)
    }),
  )
}

/**
 * Reads the unsealed events before the sealed ones, and leaves out those that were sealed meanwhile: in the reverse order such
 * an event could be in neither. Nobody reads on after a failure.
 */
async function* eventsOf(
  { auditTrail }: AuditPorts,
  filter: AuditFilter,
): AsyncGenerator<Either<PortFailure, readonly ListedEvent[]>> {
  const unsealed = await auditTrail.unsealed(filter, mostUnsealed)
  const waiting = new Map(E.isLeft(unsealed) ? [] : unsealed.right.map((event) => [event.id, event]))
  if (E.isLeft(unsealed)) yield unsealed
  for await (const page of pagesOf<SealedEvent>(
    (last, limit) => auditTrail.sealed(filter, last, limit),
    pageLength,
  )) {
    yield page
    if (E.isRight(page)) for (const { id } of page.right) waiting.delete(id)
  }
  yield E.right([...waiting.values()])
}

/** The events by organisation, page by page: sealed ones by their blocks, then unsealed ones. */
const listEvents =
  (ports: AuditPorts): AuditUseCases['list'] =>
  async (wanted) =>
    pipe(
      await organisationsOf(ports, wanted),
      E.map((organisations) =>
        inTurn(organisations, (organisation) => eventsOf(ports, { ...wanted, organisation })),
      ),
    )

type ChainPorts = Pick<Ports, 'auditTrail'>

/** Numbers of a chain that are read at once; the store ends a page with many events early. */
const chainPageLength = 1000

/** The last checked block of a chain, which the next block follows, and the missing keys that were reported. */
type Seen = { block: number; hash: string; missingKeys: Set<string> }

/** The fault of a block. After missing blocks the previous hash is unknown, so the block itself is not checked. */
const breakAt = async (
  { auditTrail }: ChainPorts,
  seen: Seen,
  sealed: SealedBlock,
  { count, events }: ChainPart,
): Promise<readonly ChainBreak[]> => {
  const { organisation, block } = sealed
  const expected = seen.block + 1
  if (!(block >= expected)) return [{ kind: 'outside_chain', organisation, block, events: count }]
  if (block > expected)
    return [{ kind: 'blocks_missing', organisation, block: expected, blocks: block - expected }]
  if (count !== sealed.events) return [{ kind: 'block_changed', organisation, block }]
  const check = foundIn(await auditTrail.checkSeal(seen.hash, sealed, events))
  if (check._tag === 'intact') return []
  if (check._tag === 'changed') return [{ kind: 'block_changed', organisation, block }]
  const { key } = check
  if (seen.missingKeys.has(key)) return []
  seen.missingKeys.add(key)
  return [{ kind: 'key_missing', organisation, block, key }]
}

/**
 * Walks through all numbers of an organisation's chain, so that neither a block nor an event that claims to be sealed stays unseen,
 * whatever its number is. The store reads blocks and events as of one moment, so that sealing beside it is no break.
 */
async function* checkedBlocks(
  ports: ChainPorts,
  organisation: string,
  onBlock: (block: SealedBlock) => void,
): AsyncGenerator<ChainChecked> {
  const seen: Seen = { block: 0, hash: '', missingKeys: new Set() }
  let last: number | undefined
  do {
    const parts = foundIn(await ports.auditTrail.chain(organisation, last, chainPageLength))
    for (const part of parts) {
      const { number, block, count } = part
      const outside: ChainBreak = { kind: 'outside_chain', organisation, block: number, events: count }
      const breaks = block === undefined ? [outside] : await breakAt(ports, seen, block, part)
      if (block !== undefined) {
        if (block.block > seen.block) Object.assign(seen, { block: block.block, hash: block.hash })
        onBlock(block)
      }
      yield { organisation, events: count, breaks }
    }
    last = parts.at(-1)?.number
  } while (last !== undefined && !Number.isNaN(last))
}

const isHead = (known: KnownHead, { organisation, block, hash }: SealedBlock): boolean =>
  known.hash === hash &&
  (known.organisation ?? organisation) === organisation &&
  (known.block ?? block) === block

/** The failure of a port, which was thrown, as the last page. */
async function* untilFailure<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Either<PortFailure, Page>> {
  try {
    for await (const page of pages) yield E.right(page)
  } catch (cause) {
    if (!isPortFailure(cause)) throw cause
    yield E.left(cause)
  }
}

const checkedChains = (
  ports: ChainPorts,
  organisations: readonly string[],
  heads: readonly KnownHead[],
): AsyncIterable<Either<PortFailure, ChainChecked>> => {
  const missing = new Set(heads)
  const find = (block: SealedBlock): void => {
    for (const known of missing) if (isHead(known, block)) missing.delete(known)
  }
  return inTurn(
    organisations,
    (organisation) => untilFailure(checkedBlocks(ports, organisation, find)),
    () => {
      const breaks = [...missing].map((head): ChainBreak => ({ kind: 'head_missing', ...head }))
      return breaks.length === 0 ? undefined : { organisation: undefined, events: 0, breaks }
    },
  )
}

/** Checks every hash; keeps one page in memory. */
const verifyChains =
  (ports: ChainPorts): AuditUseCases['verify'] =>
  async ({ organisation, heads: wanted }) => {
    const heads = wanted.filter(
      (head) => (head.organisation ?? organisation) === (organisation ?? head.organisation),
    )
    if (organisation !== undefined) return E.right(checkedChains(ports, [organisation], heads))
    return pipe(
      await ports.auditTrail.organisations(),
      E.map((organisations) => checkedChains(ports, organisations, heads)),
    )
  }

/** The use cases that read and seal. */
export const makeAuditUseCases = (ports: Ports): Omit<AuditUseCases, 'recorded'> => ({
  seal: (limit) => ports.auditTrail.seal(limit),
  list: listEvents(ports),
  heads: () => ports.auditTrail.heads(),
  verify: verifyChains(ports),
})
