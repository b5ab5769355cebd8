import type { CustomerNotifier, MigrationNotice } from '../ports/outbox.js'
import { safeForMail } from '../values/html.js'
import { freshCode, start } from './builders.js'
import { casesOf, equal } from './contract-case.js'

/** The port, with a channel that accepts every message. */
export type CustomerNotifierSubject = Readonly<{
  customerNotifier: CustomerNotifier
  /** For each message that arrived: its addresses. */
  arrived(): readonly (readonly string[])[]
}>

const aNotice = (address: string): MigrationNotice => ({
  id: freshCode('id').replaceAll('-', ''),
  language: 'es',
  recipient: { address, name: safeForMail('Núria') },
  importSupplier: 'LEVANTE',
  externalAccountNumber: freshCode('N'),
  platformAccountNumber: freshCode('A'),
  createdAt: start,
})

const fresh = (): string => `${freshCode('c')}@example.com`

const accepted = { _tag: 'accepted' }

const arrivedFor = ({ arrived }: CustomerNotifierSubject, address: string) =>
  arrived().filter((addresses) => addresses.includes(address))

/** The contract of every channel to customers. */
export const customerNotifierCases = casesOf<CustomerNotifierSubject>('CustomerNotifier', {
  'a notice arrives as one message, for its recipient alone': async (subject) => {
    const address = fresh()
    const { signal } = new AbortController()
    equal(await subject.customerNotifier.notify(aNotice(address), signal), accepted)
    equal(arrivedFor(subject, address), [[address]])
  },
  'concurrent notices each arrive once': async (subject) => {
    const addresses = Array.from({ length: 10 }, fresh)
    const { signal } = new AbortController()
    const answers = await Promise.all(
      addresses.map((address) => subject.customerNotifier.notify(aNotice(address), signal)),
    )
    equal(
      answers,
      addresses.map(() => accepted),
    )
    for (const address of addresses) equal(arrivedFor(subject, address), [[address]])
  },
  'nothing is sent after an abort': async (subject) => {
    const stopped = fresh()
    const answer = await subject.customerNotifier.notify(aNotice(stopped), AbortSignal.abort())
    equal(answer, { _tag: 'unavailable', code: 'stopped' })
    equal(arrivedFor(subject, stopped), [])
  },
})
