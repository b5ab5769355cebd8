import type { AccountNote, AccountPaymentInstruction, AccountStatement } from '../domain/account-details.js'
import { type NewNote, noteContent } from '../domain/account-from-payload.js'
import type { AccountKey } from '../domain/account-import.js'
import type { StorePorts } from '../ports/index.js'
import { compareCodePoints } from '../values/compare.js'
import { toMoney } from '../values/decimal.js'
import type { Instant } from '../values/instant.js'
import { after, aSmallAccount, createdAccount, freshKey, onLocked, start, created } from './builders.js'
import { casesOf, type ContractCase, equal, left, right } from './contract-case.js'
import { aFullAccount } from './full-account.js'
import { lookAlikes } from './look-alikes.js'

const aNote = (body: string, at: Instant = start): AccountNote => ({
  body,
  document_paths: [],
  created_at: at,
  is_pinned: false,
})
const given = (note: AccountNote): NewNote => ({ note, isTimeGiven: true })
const timeless = (note: AccountNote): NewNote => ({ note, isTimeGiven: false })

const addNotes = (ports: StorePorts, key: AccountKey, notes: readonly NewNote[]) =>
  onLocked(ports, key, (account, { accountNotes }) => accountNotes.add(account, notes))

const knownNotes = async (ports: StorePorts, key: AccountKey, contents: readonly string[]) => {
  const found = await right(
    onLocked(ports, key, (account, { accountNotes }) => accountNotes.withContents(account, contents)),
  )
  return [...found]
    .map(([content, instants]): [string, Instant[]] => [content, [...instants].sort()])
    .sort(([left], [right]) => compareCodePoints(left, right))
}

const storedNotes = async (ports: StorePorts, key: AccountKey) =>
  (await right(ports.accounts.find(key)))?.details.notes

const aStatement = (statement_id: string): AccountStatement => ({
  bill_period_from_date: '2024-01-01',
  bill_period_to_date: '2024-01-31',
  statement_id,
})

const full: AccountStatement = {
  ...aStatement('H-1'),
  statement_path: 'statements/é 1.pdf',
  issued_date: '2024-02-05',
  number: 'F24-000001 🔌',
  gross_amount: toMoney('-1234567890.12'),
}

const addStatements = (ports: StorePorts, key: AccountKey, statements: readonly AccountStatement[]) =>
  onLocked(ports, key, (account, { accountStatements }) => accountStatements.add(account, statements))

const existingStatements = async (ports: StorePorts, key: AccountKey, ids: readonly string[]) => {
  const found = await right(
    onLocked(ports, key, (account, { accountStatements }) => accountStatements.existingIds(account, ids)),
  )
  return [...found].sort()
}

const storedStatements = async (ports: StorePorts, key: AccountKey) =>
  (await right(ports.accounts.find(key)))?.details.statements

const anInstruction = (vendor: string, reference: string): AccountPaymentInstruction => ({
  vendor,
  reference,
  type: 'CARD',
  details: { brand: 'Visa', last4: '0042', expiry: '2031-05', customerId: 'cus_é' },
  created_at: start,
})

const addInstruction = (ports: StorePorts, key: AccountKey, instruction: AccountPaymentInstruction) =>
  onLocked(ports, key, (account, { accountPaymentInstructions }) =>
    accountPaymentInstructions.add(account, instruction),
  )

const hasInstruction = (
  ports: StorePorts,
  key: AccountKey,
  vendor: string,
  reference: string,
): Promise<boolean> =>
  right(
    onLocked(ports, key, (account, { accountPaymentInstructions }) =>
      accountPaymentInstructions.has(account, { vendor, reference }),
    ),
  )

const storedInstructions = async (ports: StorePorts, key: AccountKey) =>
  (await right(ports.accounts.find(key)))?.details.payment_instructions

/** Adding notes, statements and payment instructions to a created account. */
export const additionCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>('AccountNotes', {
    'notes are added after the present ones, in order, and returned equal': async (ports) => {
      const account = aSmallAccount(await freshKey(ports))
      await created(ports, {
        ...account,
        details: { ...account.details, notes: [aNote('first')] },
      })
      const second: AccountNote = {
        body: 'pinned 🔌',
        document_paths: [{ document_path: 'a/b.pdf' }, { document_path: 'ä.pdf' }],
        created_at: after(5),
        is_pinned: true,
        unpin_at: after(60),
      }
      const { body: _body, ...third } = { ...second, is_pinned: false }
      await right(addNotes(ports, account.key, [given(second)]))
      await right(addNotes(ports, account.key, [timeless(third)]))
      await right(addNotes(ports, account.key, []))
      equal(await storedNotes(ports, account.key), [aNote('first'), second, third])
    },
    'notes are found by their exact content, including those that the account was created with': async (
      ports,
    ) => {
      const account = aSmallAccount(await freshKey(ports))
      const notes = [aNote('twice'), aNote('twice'), aNote('case'), aNote('e\u0301')]
      await created(ports, { ...account, details: { ...account.details, notes } })
      const { key } = account
      await right(addNotes(ports, key, [given(aNote('case', after(1))), timeless(aNote('other '))]))
      const ask = ['twice', 'case', 'Case', 'other', 'other ', '\u00e9', 'e\u0301'].map((body) =>
        noteContent({ body }),
      )
      equal(await knownNotes(ports, key, ask), [
        [noteContent({ body: 'case' }), [start, after(1)]],
        [noteContent({ body: 'e\u0301' }), [start]],
        [noteContent({ body: 'other ' }), [start]],
        [noteContent({ body: 'twice' }), [start, start]],
      ])
      equal(await knownNotes(ports, key, []), [])
    },
    'bodies, and paths where there is no body, that look alike are different contents': async (ports) => {
      const { key } = await createdAccount(ports)
      const bodies = lookAlikes('note').map((body) => aNote(body))
      const paths = lookAlikes('a.pdf').map((document_path): AccountNote => {
        const { body: _body, ...others } = aNote('')
        return { ...others, document_paths: [{ document_path }] }
      })
      for (const note of [...bodies, ...paths]) {
        equal(await knownNotes(ports, key, [noteContent(note)]), [])
        await right(addNotes(ports, key, [timeless(note)]))
        equal(await knownNotes(ports, key, [noteContent(note)]), [[noteContent(note), [start]]])
      }
    },
    "another account's notes are not found": async (ports) => {
      const { key } = await createdAccount(ports)
      const { key: other } = await createdAccount(ports)
      await right(addNotes(ports, key, [timeless(aNote('same'))]))
      equal(await knownNotes(ports, other, [noteContent({ body: 'same' })]), [])
      await right(addNotes(ports, other, [timeless(aNote('same'))]))
      equal(await storedNotes(ports, other), [aNote('same')])
    },
    'a note that the account has is a failure that adds nothing: the store itself prevents repetitions':
      async (ports) => {
        const account = aSmallAccount(await freshKey(ports))
        const notes = [aNote('of the payload', after(0.75))]
        await created(ports, { ...account, details: { ...account.details, notes } })
        const { key } = account
        await right(addNotes(ports, key, [timeless(aNote('timeless')), given(aNote('timed', after(1)))]))
        const before = await storedNotes(ports, key)
        for (const repeated of [
          timeless(aNote('timeless', after(9))),
          given(aNote('timed', after(1))),
          given(aNote('of the payload', after(0.75))),
        ]) {
          const failure = await left(addNotes(ports, key, [timeless(aNote('bystander')), repeated]))
          equal(failure._tag, 'PortFailure')
          equal(await storedNotes(ports, key), before)
        }
        await right(
          addNotes(ports, key, [given(aNote('timed', after(2))), given(aNote('timeless', after(2)))]),
        )
      },
    'thousands of notes are added in one call and found in one call': async (ports) => {
      const { key } = await createdAccount(ports)
      const notes = Array.from({ length: 2500 }, (_, index) => aNote(`note ${index}`))
      await right(addNotes(ports, key, notes.map(timeless)))
      equal(await storedNotes(ports, key), notes)
      const contents = notes.map(noteContent)
      equal((await knownNotes(ports, key, [...contents, 'none'])).length, 2500)
    },
  }),
  ...casesOf<StorePorts>('AccountStatements', {
    'statements are added after the present ones, in order, and returned equal': async (ports) => {
      const account = await created(ports, aFullAccount(await freshKey(ports)))
      await right(addStatements(ports, account.key, [full, aStatement('H-2')]))
      await right(addStatements(ports, account.key, []))
      await right(addStatements(ports, account.key, [aStatement('H-0')]))
      equal(await storedStatements(ports, account.key), [
        ...account.details.statements,
        full,
        aStatement('H-2'),
        aStatement('H-0'),
      ])
    },
    'ids are compared exactly with all ids of the account, including those of the payload': async (ports) => {
      const account = await created(ports, aFullAccount(await freshKey(ports)))
      const { key } = await createdAccount(ports)
      await right(addStatements(ports, account.key, [aStatement('é'), aStatement('x ')]))
      const ids = ['S-1', 's-1', 'é', 'e\u0301', 'x', 'x ', 'none']
      equal(await existingStatements(ports, account.key, ids), ['S-1', 'x ', 'é'])
      equal(await existingStatements(ports, account.key, []), [])
      equal(await existingStatements(ports, key, ids), [])
      const alike = ['e\u0301', 'X ', 'x', ' x'].map(aStatement)
      await right(addStatements(ports, account.key, alike))
    },
    'an id that the account has is a failure that adds nothing: the store itself prevents repetitions':
      async (ports) => {
        const account = await created(ports, aFullAccount(await freshKey(ports)))
        await right(addStatements(ports, account.key, [full]))
        const before = await storedStatements(ports, account.key)
        for (const id of ['H-1', 'S-1']) {
          const failure = await left(
            addStatements(ports, account.key, [aStatement('bystander'), aStatement(id)]),
          )
          equal(failure._tag, 'PortFailure')
          equal(await storedStatements(ports, account.key), before)
        }
        const twice = await left(
          addStatements(ports, account.key, [aStatement('twice'), aStatement('twice')]),
        )
        equal([twice._tag, await storedStatements(ports, account.key)], ['PortFailure', before])
      },
  }),
  ...casesOf<StorePorts>('AccountPaymentInstructions', {
    'instructions are added after the present ones, and returned equal, with the details of the vendor':
      async (ports) => {
        const { key } = await createdAccount(ports)
        const second = {
          ...anInstruction('W', 'é'.repeat(512)),
          type: 'CUSTOM',
          details: {},
          created_at: after(1),
        }
        await right(addInstruction(ports, key, anInstruction('V', 'r-1')))
        await right(addInstruction(ports, key, second))
        equal(await storedInstructions(ports, key), [anInstruction('V', 'r-1'), second])
      },
    'an instruction is identified by its account and its exact vendor and reference': async (ports) => {
      const { key } = await createdAccount(ports)
      const { key: other } = await createdAccount(ports)
      const alike = [
        ...lookAlikes('v').map((vendor) => [vendor, 'r-1'] as const),
        ...lookAlikes('r-1').map((reference) => ['w', reference] as const),
      ]
      for (const [vendor, reference] of alike) {
        equal(await hasInstruction(ports, key, vendor, reference), false)
        await right(addInstruction(ports, key, anInstruction(vendor, reference)))
        equal(await hasInstruction(ports, key, vendor, reference), true)
      }
      equal(await hasInstruction(ports, other, 'V', 'r-1'), false)
      await right(addInstruction(ports, other, anInstruction('V', 'r-1')))
    },
    'an instruction that the account has is a failure that adds nothing: the store itself prevents repetitions':
      async (ports) => {
        const { key } = await createdAccount(ports)
        await right(addInstruction(ports, key, anInstruction('V', 'r-1')))
        const failure = await left(
          addInstruction(ports, key, { ...anInstruction('V', 'r-1'), type: 'CUSTOM' }),
        )
        equal(failure._tag, 'PortFailure')
        equal(await storedInstructions(ports, key), [anInstruction('V', 'r-1')])
      },
  }),
]
