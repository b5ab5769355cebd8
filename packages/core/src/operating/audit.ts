import { type ListedEvent, noOrganisation, type SealedBlock } from '../domain/audit-entry.js'
import { E, type Either, pipe } from '../fp.js'
import type { AuditFilter, ChainHead, ChainPart, Sealing, SealedPlace } from '../ports/audit-trail.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import { compareCodePoints } from '../values/compare.js'
import type { OperatorRefusal, UseCaseResult } from '../checking/errors.js'
import { supplierByCode } from './suppliers.js'
import { foundIn, inTurn } from '../lists/pages.js'

/** As `AuditFilter`; without organisation and supplier: all entries, also those without an organisation. */
export type WantedEntries = Omit<AuditFilter, 'organisation'> &
  Readonly<{ organisation?: string | undefined }>

/**
 * A fault of a chain at a block. `block_changed`: its events, or its hash, differ from the sealed ones; `block_missing`: it is missing,
 * and so may be those up to the next one; `outside_chain`: it is no part of the chain, which begins with 1, or events claim to be sealed
 * in it, and it does not exist; `key_missing`: it and others were sealed with the key `about`, which is missing (once for each key);
 * `head_missing`: the chain does not contain this former end with the hash `about`: it was cut or replaced.
 */
export type ChainBreak = Readonly<{
  kind: 'block_changed' | 'block_missing' | 'outside_chain' | 'key_missing' | 'head_missing'
  organisation: string
  block: number
  about?: string
}>

/** The number of events of the next block, and its faults. */
export type ChainChecked = Readonly<{ events: number; breaks: readonly ChainBreak[] }>

/** The chains that are checked: that of an organisation, or all. `heads`: ends that the chains must contain. */
export type WantedChains = Readonly<{ organisation?: string | undefined; heads: readonly ChainHead[] }>

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
  /** Checks all chains, or one, with the events that they seal, in constant memory; the iteration throws the failure of a port. */
  verify(wanted: WantedChains): UseCaseResult<never, AsyncIterable<ChainChecked>>
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

const pageLength = 1000

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

async function* eventsOf(
  { auditTrail }: AuditPorts,
  filter: AuditFilter,
): AsyncGenerator<Either<PortFailure, readonly ListedEvent[]>> {
  for (let last: SealedPlace | undefined; ;) {
    const page = await auditTrail.events(filter, last, pageLength)
    const sealed = E.isLeft(page)
      ? []
      : page.right.flatMap(({ id, block }) => (block === undefined ? [] : { id, block }))
    yield page
    if (sealed.length < pageLength) return
    last = sealed.at(-1)
  }
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

/** The last block of a chain before the next one. */
type Previous = Pick<SealedBlock, 'block' | 'hash'>

/** The fault at a number of a chain. After missing blocks the previous hash is unknown, so the block itself is not checked. */
const breakAt = async (
  { auditTrail }: ChainPorts,
  previous: Previous,
  { number, block, events }: ChainPart,
): Promise<Pick<ChainBreak, 'kind' | 'block' | 'about'> | undefined> => {
  const expected = previous.block + 1
  if (block === undefined || !(number >= expected)) return { kind: 'outside_chain', block: number }
  if (number > expected) return { kind: 'block_missing', block: expected }
  if (events.length !== block.events) return { kind: 'block_changed', block: number }
  const check = foundIn(await auditTrail.checkSeal(previous.hash, block, events))
  if (check._tag === 'key_missing') return { kind: 'key_missing', block: number, about: check.key }
  return check._tag === 'changed' ? { kind: 'block_changed', block: number } : undefined
}

/**
 * Walks through all numbers of an organisation's chain, so that neither a block nor an event that claims to be sealed stays unseen,
 * whatever its number is. The store reads blocks and events as of one moment, so that sealing beside it is no break.
 */
async function* checkedBlocks(
  ports: ChainPorts,
  organisation: string,
  wanted: readonly ChainHead[],
): AsyncGenerator<ChainChecked> {
  let previous: Previous = { block: 0, hash: '' }
  const missingKeys = new Set<string | undefined>()
  const heads = new Set(wanted)
  for (let last: number | undefined; ;) {
    const parts = foundIn(await ports.auditTrail.chain(organisation, last, chainPageLength))
    for (const part of parts) {
      const { block, events } = part
      const found = await breakAt(ports, previous, part)
      const isKnown = found?.kind === 'key_missing' && missingKeys.has(found.about)
      missingKeys.add(found?.about)
      yield {
        events: events.length,
        breaks: found === undefined || isKnown ? [] : [{ organisation, ...found }],
      }
      if (block !== undefined && block.block > previous.block) previous = block
      for (const head of heads)
        if (head.block === block?.block && head.hash === block.hash) heads.delete(head)
    }
    last = parts.at(-1)?.number
    if (last === undefined || Number.isNaN(last)) break
  }
  const breaks = [...heads].map(({ block, hash }) => {
    return { kind: 'head_missing' as const, organisation, block, about: hash }
  })
  yield { events: 0, breaks }
}

/** Checks every hash of the chains, and that they contain the heads; keeps one page in memory. Throws the failure of a port. */
export async function* verifyChains(
  ports: Pick<Ports, 'auditTrail'>,
  { organisation, heads }: WantedChains,
): AsyncGenerator<ChainChecked> {
  const named = heads.map((head) => head.organisation)
  const organisations =
    organisation === undefined
      ? [...foundIn(await ports.auditTrail.organisations()), ...named]
      : [organisation]
  for (const each of new Set(organisations))
    yield* checkedBlocks(
      ports,
      each,
      heads.filter((head) => head.organisation === each),
    )
}

/** The use cases that read and seal. */
export const makeAuditUseCases = (ports: Ports): Omit<AuditUseCases, 'recorded'> => ({
  seal: (limit) => ports.auditTrail.seal(limit),
  list: listEvents(ports),
  heads: () => ports.auditTrail.heads(),
  verify: async (wanted) => E.right(verifyChains(ports, wanted)),
})
