import { checkItems } from '../../crash/additions/check-items.js'
import { answer } from '../../support/answers.js'
import { itemsOf } from '../../support/items-of.js'
import { breaksFound } from '../../verify/support/breaks-of.js'
import {
  addition,
  bulkProcessing,
  bulkStaging,
  counted,
  processing,
  staging,
  type Fresh,
} from './requests.js'
import { onWire, verified, type Place, type Wired } from './sending.js'
import { sweep, type Sweep } from './sweep.js'
import { wireRun, type WireRun } from './wire-run.js'

/** Requests whose connections are cut. */
export const cutKinds = ['staging', 'processing', 'bulk staging', 'bulk processing', 'additions'] as const
export type CutKind = (typeof cutKinds)[number]

export type CutRun = WireRun & Readonly<{ figures: Omit<Sweep, 'faults'> }>

const ofAccounts: Readonly<Record<Exclude<CutKind, 'additions'>, Fresh>> = {
  staging,
  processing,
  'bulk staging': bulkStaging,
  'bulk processing': bulkProcessing,
}

const swept = async (
  sending: Wired,
  fresh: Fresh,
  most: number,
  check: () => Promise<readonly string[]>,
): Promise<CutRun> => {
  const { faults, ...figures } = await sweep(sending.proxy, () => counted(fresh)(sending), most)
  const injected = { injected: figures.happened, faults, ...figures }
  return { ...(await wireRun(sending, injected, await check())), figures }
}

/** One account gets all additions: what it was created with, and what was answered, is there once. */
const sweptAdditions = async (sending: Wired, most: number): Promise<CutRun> => {
  const { database, additions, numbers } = sending
  if ((await (await processing(sending))()) !== 'done') throw new Error('there is no account')
  const created = await answer(database.stores.accounts.find(database.key(numbers[0] ?? '')))
  const items = created === undefined ? [] : itemsOf(created.details)
  let ordinal = 0
  return swept(
    sending,
    async (given) => addition(given, ordinal++),
    most,
    async () => [
      ...(await breaksFound(database.knex)),
      ...(await checkItems(database, additions, numbers, items)),
    ],
  )
}

/** Cuts connections of requests of one kind at as many bytes as `most`, on an empty database. */
export const cutRun = (url: string, place: Place, kind: CutKind, most: number): Promise<CutRun> =>
  onWire(url, place, (sending) =>
    kind === 'additions'
      ? sweptAdditions(sending, most)
      : swept(sending, ofAccounts[kind], most, () => verified(sending)),
  )
