import type { Account } from '../domain/account.js'
import type { StorePorts } from '../ports/index.js'
import { aSmallAccount, freshCode, freshKey, freshNumber, freshSupplier, keyOf } from './builders.js'
import { casesOf, equal, left, right } from './contract-case.js'
import { everyDetail } from './every-detail.js'
import { aFullAccount } from './full-account.js'

/** Creation of accounts and reading them back. */
export const accountCases = casesOf<StorePorts>('Accounts', {
  'an account that uses every field comes back equal: nothing is lost, rounded or reordered': async (
    ports,
  ) => {
    const account = aFullAccount(await freshKey(ports))
    await right(ports.unitOfWork.run(({ accounts }) => accounts.create([account])))
    equal(await right(ports.accounts.find(account.key)), account)
  },
  'the longest texts that an account may hold come back whole': async (ports) => {
    const account = aFullAccount(await freshKey(ports))
    const [note] = everyDetail.notes
    const [transaction] = everyDetail.transactions_without_ledger
    const details = {
      ...account.details,
      notes: [{ ...note, body: 'x'.repeat(65_536) }],
      transactions_without_ledger: [
        { ...transaction, display_note: 'n'.repeat(65_536), note: '🔌'.repeat(16_384) },
      ],
      billing_address5: '🔌'.repeat(512),
    }
    await right(ports.unitOfWork.run(({ accounts }) => accounts.create([{ ...account, details }])))
    equal(await right(ports.accounts.find(account.key)), { ...account, details })
  },
  'what was not sent stays absent': async (ports) => {
    const account = aSmallAccount(await freshKey(ports))
    await right(ports.unitOfWork.run(({ accounts }) => accounts.create([account])))
    equal(await right(ports.accounts.find(account.key)), account)
  },
  'several accounts are created at once, and each is found by its own key only': async (ports) => {
    const supplier = await freshSupplier(ports)
    const list = ['a', 'A', 'a '].map((number) => aFullAccount(keyOf(supplier, number)))
    await right(ports.unitOfWork.run(({ accounts }) => accounts.create(list)))
    for (const account of list) equal(await right(ports.accounts.find(account.key)), account)
    equal(await right(ports.accounts.find(keyOf(supplier, 'none'))), undefined)
  },
  'long lists come back whole and in order': async (ports) => {
    const account = aFullAccount(await freshKey(ports))
    const notes = Array.from({ length: 1500 }, (_, index) => ({
      body: `note ${index}`,
      document_paths: [],
      created_at: account.createdAt,
      is_pinned: index % 2 === 0,
    }))
    const long = { ...account, details: { ...account.details, notes } }
    await right(ports.unitOfWork.run(({ accounts }) => accounts.create([long])))
    equal(await right(ports.accounts.find(account.key)), long)
  },
  'a second account with the key, or with the number, is a failure that leaves nothing': async (ports) => {
    const supplier = await freshSupplier(ports)
    const number = freshNumber()
    const first = aSmallAccount(keyOf(supplier, freshCode('N')), number)
    await right(ports.unitOfWork.run(({ accounts }) => accounts.create([first])))
    const sameKey = { ...first, platformAccountNumber: freshNumber() }
    const sameNumber = aSmallAccount(keyOf(supplier, freshCode('N')), number)
    for (const second of [sameKey, sameNumber]) {
      const bystander = aSmallAccount(keyOf(supplier, freshCode('N')))
      const failure = await left(ports.unitOfWork.run(({ accounts }) => accounts.create([bystander, second])))
      equal(failure._tag, 'PortFailure')
      equal(await right(ports.accounts.find(bystander.key)), undefined)
    }
    equal(await right(ports.accounts.find(first.key)), first)
  },
  'outside a unit of work accounts are created all or none, too': async (ports) => {
    const supplier = await freshSupplier(ports)
    const [first, second] = ['1', '2'].map((number) => aSmallAccount(keyOf(supplier, number))) as [
      Account,
      Account,
    ]
    const failure = await left(ports.accounts.create([first, { ...second, key: first.key }]))
    equal(failure._tag, 'PortFailure')
    equal(await right(ports.accounts.find(first.key)), undefined)
    await right(ports.accounts.create([first, second]))
    for (const account of [first, second]) equal(await right(ports.accounts.find(account.key)), account)
  },
  'a number that an account of another organisation has is taken': async (ports) => {
    const number = freshNumber()
    const first = aSmallAccount(await freshKey(ports), number)
    const second = aSmallAccount(await freshKey(ports), number)
    await right(ports.unitOfWork.run(({ accounts }) => accounts.create([first])))
    const failure = await left(ports.unitOfWork.run(({ accounts }) => accounts.create([second])))
    equal(failure._tag, 'PortFailure')
    equal(await right(ports.accounts.find(second.key)), undefined)
    equal(await right(ports.accounts.find(first.key)), first)
  },
})
