import type { Account } from '../domain/account.js'
import { emailLanguage, wantsEmail } from '../domain/customer-email.js'
import { E, pipe } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { NewCustomerEmail } from '../ports/outbox.js'
import { isPortFailure, type PortFailure, type PortResult } from '../ports/port-failure.js'
import type { TransactionalStores } from '../ports/unit-of-work.js'
import { idFrom } from '../values/api-key.js'
import type { ProcessingRefused } from '../checking/errors.js'
import { chunksOf, inSequence, type NonEmpty, replaced } from '../lists/lists.js'
import type { AcceptedRequest } from './accept-requests.js'
import { answered, type At, at, isOpen, keyOf, type OnItsWay, type Open, type Page } from './on-its-way.js'
import { type Round, roundOf } from './rounds.js'

type Created = Readonly<{ accepted: AcceptedRequest; account: Account }>

/** The e-mail to the customers of a new account, if the supplier's settings enable it and a customer can get it. */
const emailOf = (
  { secrets, settings: { defaultCountry } }: Ports,
  { accepted, account: { key, platformAccountNumber, createdAt, details } }: Created,
): readonly NewCustomerEmail[] => {
  const { settings } = accepted.supplier
  if (!settings.migrationEmails || !wantsEmail(details)) return []
  const language = emailLanguage(settings, details, defaultCountry)
  return [{ id: idFrom(secrets.generate(), 22), key, platformAccountNumber, language, enqueuedAt: createdAt }]
}

/** The account, if this unit of work created it; one that an earlier call created is known to the platform. */
const createdIn = (each: OnItsWay): readonly Created[] =>
  each.step === 'answered' && each.created !== undefined
    ? [{ accepted: each.accepted, account: each.created }]
    : []

type Stores = Pick<TransactionalStores, 'accountImports' | 'accounts' | 'outbox'>

/** Tells the platform of new accounts, and stores the e-mails to their customers. */
const notifyPlatform = (
  ports: Ports,
  { accounts, outbox }: Stores,
  created: readonly Created[],
): PortResult<void> =>
  inSequence(
    async () =>
      created.length === 0 || accounts.create === undefined
        ? E.right(undefined)
        : accounts.create(created.map(({ account }) => account)),
    async () => {
      const emails = created.flatMap((each) => emailOf(ports, each))
      return emails.length === 0 ? E.right(undefined) : outbox.enqueue(emails)
    },
  )

const failureIn = (page: Page): PortFailure | undefined => {
  for (const each of page)
    if (each.step === 'answered' && E.isLeft(each.answer) && isPortFailure(each.answer.left))
      return each.answer.left
  return undefined
}

/** Asked again, the store locks the data before it is read; none is created without being read. */
const askingAgain = async (toJudge: NonEmpty<At<'to_judge'>>): Promise<Page> =>
  toJudge.map(({ accepted, token, creation }) => ({
    step: 'asking',
    accepted,
    token,
    creation: { ...creation, version: undefined, validatedUnder: undefined },
    warnings: [],
  }))

/**
 * One round within one unit of work: its data cannot change until it ends. Data that is not valid any more is the answer of its own
 * account alone. Left: a port failed, and the unit of work has to be rolled back.
 */
const roundWithin = async (ports: Ports, stores: Stores, page: Page): PortResult<Page> => {
  const { accountImports } = stores
  const asking = await at(page, 'to_judge', askingAgain)
  const done = await roundOf(ports, accountImports)(asking)
  const failure = failureIn(done)
  if (failure !== undefined) return E.left(failure)
  return inSequence(
    () => notifyPlatform(ports, stores, done.flatMap(createdIn)),
    async () => E.right(done),
  )
}

/** Accounts in one unit of work. */
const mostInUnit = 16

/** One unit of work for all, which are of one organisation; if it fails, one for each, so that an account that cannot be created fails alone. */
const createOrSplit = async (ports: Ports, list: NonEmpty<Open>): Promise<Page> => {
  const { organisation } = keyOf(list[0])
  const done = await ports.unitOfWork.run(organisation, (stores) => roundWithin(ports, stores, list))
  if (E.isRight(done)) return done.right
  const isAway = done.left.kind === 'unavailable' && done.left.ofSomeRows !== true
  if (list.length === 1 || isAway) return list.map((each) => answered(each, done))
  const split: OnItsWay[] = []
  for (const each of list) split.push(...(await createOrSplit(ports, [each])))
  return split
}

type DryRunSucceeded = Extract<ProcessingRefused, { _tag: 'DryRunSucceeded' }>

/** Does all steps of a creation, and undoes them: success is a Left, so that the unit of work is rolled back. */
const tryOut = async (ports: Ports, each: Open): Promise<Page> => {
  const tried = await ports.unitOfWork.run<DryRunSucceeded | PortFailure, Page>(
    keyOf(each).organisation,
    async (stores) =>
      pipe(
        await roundWithin(ports, stores, [each]),
        E.flatMap((page) =>
          page.some((one) => one.step === 'answered' && E.isRight(one.answer))
            ? E.left<DryRunSucceeded | PortFailure>({ _tag: 'DryRunSucceeded' })
            : E.right(page),
        ),
      ),
  )
  return E.isLeft(tried) ? [answered(each, tried)] : tried.right
}

/** The work for each list of at most so many open accounts, one after the other. */
const inLists =
  (most: number, work: (list: NonEmpty<Open>) => Promise<Page>): Round =>
  (page) =>
    replaced(page, isOpen, async (open) => {
      const done: OnItsWay[] = []
      for (const list of chunksOf(open, most)) done.push(...(await work(list)))
      return done
    })

/** Creates accounts in units of work of up to 16. */
export const inUnits = (ports: Ports): Round => inLists(mostInUnit, (list) => createOrSplit(ports, list))

/** Tries accounts out, each in a unit of work of its own. Stores nothing. */
export const inDryRuns = (ports: Ports): Round => inLists(1, ([only]) => tryOut(ports, only))
