import { slots } from '../concurrency/fair-queue.js'
import { E } from '../fp.js'
import type { Ports } from '../ports/index.js'
import { replaced } from '../lists/lists.js'
import { rulesInForce } from '../checking/rules-in-force.js'
import { needsDetails } from './accept-requests.js'
import { inDryRuns, inUnits } from './create-in-units.js'
import { type At, at, isOpen, keyOf, type OnItsWay, type Open, type Page, refused } from './on-its-way.js'
import { type WithSlot, repeated, roundOf, untilNoneIsOpen } from './rounds.js'

/** Gives the account its number, and makes the change that the store is asked for. Data that somebody reads is always judged. */
const planned =
  (ports: Ports) =>
  async (each: At<'accepted'>): Promise<OnItsWay> => {
    const number = await ports.platformAccountNumbers.next()
    if (E.isLeft(number)) return refused(each, number.left)
    const { accepted, token } = each
    const { key, request, supplier, supplierRevision, by, importRun } = accepted
    const creation = {
      key,
      platformAccountNumber: number.right,
      operationsTeam: request.operations_team_name,
      at: ports.clock.now(),
      by,
      importRun,
      token,
      supplierRevision,
      validatedUnder: needsDetails(ports, supplier) ? undefined : rulesInForce(ports.settings, supplier),
    }
    return { step: 'asking', accepted, token, creation, warnings: [] }
  }

/**
 * Lists of accounts whose staged texts a process holds at one time: each of 2 MiB, or of one account. A request does not tell whether
 * the store wants its data to be judged, so that the texts cannot be counted where bodies are.
 */
const mostSlots = 8

/**
 * Creates accounts from their staged data: by single changes of the store, or in units of work where somebody reads the account, or
 * where the data changes while it is judged. A dry run stores nothing, and no e-mail. A unit of work gets its slot before it begins: it
 * holds a connection, for which others may wait in their slots.
 */
export const createAccounts = (ports: Ports): ((page: Page) => Promise<Page>) => {
  const { accountImports } = ports
  const free = slots(mostSlots)
  const withSlot: WithSlot = (organisation, work) =>
    free.run(organisation, new AbortController().signal, work)
  const plan = planned(ports)
  const directly = roundOf(ports, accountImports, withSlot)
  const asDryRun = inDryRuns(ports)
  const inUnitsOfWork = inUnits(ports)
  const isDryRun = (each: OnItsWay): each is Open => isOpen(each) && each.accepted.request.dry_run === true
  const needsAccount = (each: OnItsWay): each is Open =>
    isOpen(each) && needsDetails(ports, each.accepted.supplier)
  const isDirect = (each: OnItsWay): each is Open => isOpen(each) && !isDryRun(each) && !needsAccount(each)
  const inUnitsOrTried = async (page: Page): Promise<Page> =>
    untilNoneIsOpen(await replaced(page, isDryRun, (some) => untilNoneIsOpen(some, asDryRun)), inUnitsOfWork)
  return async (page) => {
    const asking = await at(page, 'accepted', (accepted) => Promise.all(accepted.map(plan)))
    const direct = await replaced(asking, isDirect, (some) => repeated(some, directly, 1))
    const open = direct.find(isOpen)
    if (open === undefined) return direct
    return withSlot(keyOf(open).organisation, () => inUnitsOrTried(direct))
  }
}
