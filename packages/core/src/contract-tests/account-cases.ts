import type { AccountKey } from '../domain/account-import.js'
import type { Account } from '../domain/account.js'
import { type StoredPage, storedPageBytes } from '../ports/accounts.js'
import type { StorePorts } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import { inSequence } from '../lists/lists.js'
import {
  aCreation,
  after,
  aSmallAccount,
  aStaging,
  freshKey,
  freshSupplier,
  keyOf,
  onLocked,
  start,
  created,
} from './builders.js'
import { casesOf, type ContractCase, equal, right } from './contract-case.js'
import { everyDetail } from './every-detail.js'
import { aFullAccount } from './full-account.js'
import { createdFrom } from './held-account.js'
import { payloadOf } from './payload-of.js'

const supplierWith = async (ports: StorePorts) => {
  const supplier = await freshSupplier(ports)
  const { organisation, code: importSupplier } = supplier
  const request = (from: string | undefined, limit: number) => ({
    organisation,
    importSupplier,
    after: from,
    limit,
  })
  return { request, key: (number: string) => keyOf(supplier, number) }
}

/** An account with a text of the length. */
const withText =
  (length: number) =>
  (key: AccountKey): Account => {
    const account = aSmallAccount(key)
    const metadata = [{ key: 'long', value: { text: 'x'.repeat(length) } }]
    return { ...account, details: { ...account.details, metadata } }
  }

/** The numbers in each page. */
const pagesOf = async <Item>(
  pageAfter: (from: string | undefined) => PortResult<StoredPage<Item>>,
  keyOfItem: (item: Item) => Pick<AccountKey, 'externalAccountNumber'>,
): Promise<readonly (readonly string[])[]> => {
  const pages: string[][] = []
  for (let isLast = false; !isLast;) {
    const page = await right(pageAfter(pages.at(-1)?.at(-1)))
    pages.push(page.items.map((item) => keyOfItem(item).externalAccountNumber))
    ;({ isLast } = page)
  }
  return pages
}

/** Adds every kind of item to the account, and returns it with them. */
const withEveryAddition = async (ports: StorePorts, account: Account): Promise<Account> => {
  const [instruction] = everyDetail.payment_instructions
  const bare = { vendor: 'V', reference: 'r', type: 'CUSTOM', details: {}, created_at: start }
  const note = { ...everyDetail.notes[0], body: 'late' }
  const statement = { ...everyDetail.statements[0], statement_id: 'late' }
  const others = everyDetail.transactions_without_ledger
  await right(
    onLocked(ports, account.key, (locked, stores) =>
      inSequence(
        () => stores.accountNotes.add(locked, [{ note, isTimeGiven: true }]),
        () => stores.accountPaymentInstructions.add(locked, instruction),
        () => stores.accountPaymentInstructions.add(locked, bare),
        () => stores.accountStatements.add(locked, [statement]),
        () =>
          stores.accountTransactions.add(
            locked,
            others.map((transaction) => ({ ledger: undefined, copy: 0, transaction })),
          ),
      ),
    ),
  )
  const { details } = account
  return {
    ...account,
    details: {
      ...details,
      notes: [...details.notes, note],
      payment_instructions: [instruction, bare],
      statements: [...details.statements, statement],
      transactions_without_ledger: others,
    },
  }
}

/** Finding and paging accounts; pages of staged payloads. */
export const accountCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>('Accounts', {
    'an account that uses every field is returned equal: nothing is lost, rounded or reordered': async (
      ports,
    ) => {
      const account = await created(ports, aFullAccount(await freshKey(ports)))
      equal(await right(ports.accounts.find(account.key)), account)
      const extended = await withEveryAddition(ports, account)
      equal(await right(ports.accounts.find(account.key)), extended)
    },
    'the longest texts of an account are returned whole': async (ports) => {
      const account = aFullAccount(await freshKey(ports))
      const [note] = everyDetail.notes
      const [transaction] = everyDetail.transactions_without_ledger
      const long = { ...transaction, display_note: 'n'.repeat(65_536), note: '🔌'.repeat(16_384) }
      const ledgers = account.details.ledgers.map((ledger) => ({
        ...ledger,
        current_statement_transactions: [long],
      }))
      const notes = [{ ...note, body: 'x'.repeat(65_536) }]
      const details = { ...account.details, notes, ledgers, billing_address5: '🔌'.repeat(512) }
      const whole = await created(ports, { ...account, details })
      equal(await right(ports.accounts.find(account.key)), whole)
    },
    'fields that were not sent are absent': async (ports) => {
      const account = await created(ports, aSmallAccount(await freshKey(ports)))
      equal(await right(ports.accounts.find(account.key)), account)
    },
    'several accounts are created at once, and each is found by its own key only': async (ports) => {
      const supplier = await freshSupplier(ports)
      const list = ['a', 'A', 'a '].map((number) => aFullAccount(keyOf(supplier, number)))
      await right(
        ports.accountImports.stage(list.map((account) => aStaging(account.key, payloadOf(account)))),
      )
      const creations = list.map(({ key, platformAccountNumber, operationsTeam }) => ({
        ...aCreation(key),
        platformAccountNumber,
        operationsTeam,
      }))
      equal(
        await right(ports.accountImports.create(creations)),
        list.map(() => ({ _tag: 'created' })),
      )
      for (const account of list) equal(await right(ports.accounts.find(account.key)), account)
      equal(await right(ports.accounts.find(keyOf(supplier, 'none'))), undefined)
    },
    'long lists are returned whole and in order': async (ports) => {
      const account = aFullAccount(await freshKey(ports))
      const notes = Array.from({ length: 1500 }, (_, index) => ({
        body: `note ${index}`,
        document_paths: [],
        created_at: account.createdAt,
        is_pinned: index % 2 === 0,
      }))
      const long = await created(ports, { ...account, details: { ...account.details, notes } })
      equal(await right(ports.accounts.find(account.key)), long)
    },
    'pages contain whole accounts in the order of their numbers, with the count of their additions': async (
      ports,
    ) => {
      const { request, key } = await supplierWith(ports)
      const numbers = ['b', 'Z', 'é', 'a', '10', '9']
      const made = await Promise.all(
        numbers.map((number) => createdFrom(ports, key(number), after(1), aFullAccount)),
      )
      await createdFrom(ports, keyOf(await freshSupplier(ports), 'aa'), start)
      await right(ports.accountImports.stage([aStaging(key('only staged'))]))
      const note = {
        note: { body: 'late', document_paths: [], created_at: after(3), is_pinned: false },
        isTimeGiven: true,
      }
      await right(onLocked(ports, key('a'), (account, stores) => stores.accountNotes.add(account, [note])))
      const expected = ['10', '9', 'Z', 'a', 'b', 'é']
      const seen: string[] = []
      for (let from: string | undefined; ;) {
        const page = await right(ports.accounts.page(request(from, 2)))
        for (const { account, additions } of page.items) {
          const { externalAccountNumber: number } = account.key
          seen.push(number)
          equal(additions, number === 'a' ? 1 : 0)
          const original = made.find((each) => each.key.externalAccountNumber === number)
          if (number !== 'a') equal(account, original)
          else equal(account.details.notes.length, (original?.details.notes.length ?? 0) + 1)
          equal(account, await right(ports.accounts.find(account.key)))
        }
        if (page.isLast) break
        from = seen.at(-1)
      }
      equal(seen, expected)
      equal(await right(ports.accounts.page(request('é', 10))), { items: [], isLast: true })
    },
    'a page ends before the account with which its texts would be too long, and has one at least': async (
      ports,
    ) => {
      const { request, key } = await supplierWith(ports)
      const most = 0.36 * storedPageBytes
      for (const number of ['a', 'b', 'c']) await createdFrom(ports, key(number), start, withText(most))
      await createdFrom(ports, key('d'), start, withText(1.5 * storedPageBytes))
      await createdFrom(ports, key('e'), start)
      const pages = await pagesOf(
        (from) => ports.accounts.page(request(from, 10)),
        ({ account }) => account.key,
      )
      equal(pages, [['a', 'b'], ['c'], ['d'], ['e']])
    },
  }),
  ...casesOf<StorePorts>('AccountImports', {
    'pages of staged payloads contain none of created and skipped imports': async (ports) => {
      const { request, key } = await supplierWith(ports)
      const staged = ['d', 'a', 'c'].map((number) => aStaging(key(number), `{"n":"${number}"}`))
      await right(ports.accountImports.stage([...staged, aStaging(key('skipped'))]))
      await right(ports.accountImports.setSkipped(key('skipped'), true, start))
      await createdFrom(ports, key('b'), start)
      const payload = (externalAccountNumber: string) => ({
        externalAccountNumber,
        payload: `{"n":"${externalAccountNumber}"}`,
      })
      equal(await right(ports.accountImports.stagedPayloads(request(undefined, 2))), {
        items: [payload('a'), payload('c')],
        isLast: false,
      })
      const last = { items: [payload('d')], isLast: true }
      equal(await right(ports.accountImports.stagedPayloads(request('c', 2))), last)
      equal(await right(ports.accountImports.stagedPayloads(request('c', 1))), last)
    },
    'a page ends before the payload with which its texts would be too long, and has one at least': async (
      ports,
    ) => {
      const { request, key } = await supplierWith(ports)
      const stage = (number: string, length: number) =>
        right(ports.accountImports.stage([aStaging(key(number), JSON.stringify('x'.repeat(length)))]))
      for (const number of ['a', 'b', 'c']) await stage(number, 0.36 * storedPageBytes)
      await stage('d', 1.5 * storedPageBytes)
      await stage('e', 1)
      const pages = await pagesOf(
        (from) => ports.accountImports.stagedPayloads(request(from, 10)),
        (each) => each,
      )
      equal(pages, [['a', 'b'], ['c'], ['d'], ['e']])
    },
  }),
]
