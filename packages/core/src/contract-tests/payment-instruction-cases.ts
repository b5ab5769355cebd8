import type { AccountPaymentInstruction } from '../domain/account-details.js'
import type { AccountKey } from '../domain/account-import.js'
import type { StorePorts } from '../ports/index.js'
import { after, createdAccount, onLocked, start } from './builders.js'
import { casesOf, equal, left, right } from './contract-case.js'
import { lookAlikes } from './look-alikes.js'

const anInstruction = (vendor: string, reference: string): AccountPaymentInstruction => ({
  vendor,
  reference,
  type: 'CARD',
  details: { brand: 'Visa', last4: '0042', expiry: '2031-05', customerId: 'cus_é' },
  created_at: start,
})

const add = (ports: StorePorts, key: AccountKey, instruction: AccountPaymentInstruction) =>
  onLocked(ports, key, (account, { accountPaymentInstructions }) =>
    accountPaymentInstructions.add(account, instruction),
  )

const has = (ports: StorePorts, key: AccountKey, vendor: string, reference: string): Promise<boolean> =>
  right(
    onLocked(ports, key, (account, { accountPaymentInstructions }) =>
      accountPaymentInstructions.has(account, { vendor, reference }),
    ),
  )

const stored = async (ports: StorePorts, key: AccountKey) =>
  (await right(ports.accounts.find(key)))?.details.payment_instructions

/** Payment instructions that are added to accounts. */
export const paymentInstructionCases = casesOf<StorePorts>('AccountPaymentInstructions', {
  'instructions are added after those that are there, and come back equal, with what the vendor told': async (
    ports,
  ) => {
    const { key } = await createdAccount(ports)
    const second = {
      ...anInstruction('W', 'é'.repeat(512)),
      type: 'CUSTOM',
      details: {},
      created_at: after(1),
    }
    await right(add(ports, key, anInstruction('V', 'r-1')))
    await right(add(ports, key, second))
    equal(await stored(ports, key), [anInstruction('V', 'r-1'), second])
  },
  'an instruction is its vendor and its reference to the letter, on one account': async (ports) => {
    const { key } = await createdAccount(ports)
    const { key: other } = await createdAccount(ports)
    const alike = [
      ...lookAlikes('v').map((vendor) => [vendor, 'r-1'] as const),
      ...lookAlikes('r-1').map((reference) => ['w', reference] as const),
    ]
    for (const [vendor, reference] of alike) {
      equal(await has(ports, key, vendor, reference), false)
      await right(add(ports, key, anInstruction(vendor, reference)))
      equal(await has(ports, key, vendor, reference), true)
    }
    equal(await has(ports, other, 'V', 'r-1'), false)
    await right(add(ports, other, anInstruction('V', 'r-1')))
  },
  'one that is there already is a failure that adds nothing: the store itself guards against repeats': async (
    ports,
  ) => {
    const { key } = await createdAccount(ports)
    await right(add(ports, key, anInstruction('V', 'r-1')))
    const failure = await left(add(ports, key, { ...anInstruction('V', 'r-1'), type: 'CUSTOM' }))
    equal(failure._tag, 'PortFailure')
    equal(await stored(ports, key), [anInstruction('V', 'r-1')])
  },
})
