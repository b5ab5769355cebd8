import type { AccountNote } from '../domain/account-details.js'
import { type NewNote, noteContent } from '../domain/account-from-payload.js'
import type { AccountKey } from '../domain/account-import.js'
import type { StorePorts } from '../ports/index.js'
import { compareCodePoints } from '../values/compare.js'
import type { Instant } from '../values/instant.js'
import { after, aSmallAccount, createdAccount, freshKey, onLocked, start } from './builders.js'
import { casesOf, equal, left, right } from './contract-case.js'
import { lookAlikes } from './look-alikes.js'

const aNote = (body: string, at: Instant = start): AccountNote => ({
  body,
  document_paths: [],
  created_at: at,
  is_pinned: false,
})
const given = (note: AccountNote): NewNote => ({ note, isTimeGiven: true })
const timeless = (note: AccountNote): NewNote => ({ note, isTimeGiven: false })

const add = (ports: StorePorts, key: AccountKey, notes: readonly NewNote[]) =>
  onLocked(ports, key, (account, { accountNotes }) => accountNotes.add(account, notes))

const known = async (ports: StorePorts, key: AccountKey, contents: readonly string[]) => {
  const found = await right(
    onLocked(ports, key, (account, { accountNotes }) => accountNotes.withContents(account, contents)),
  )
  return [...found]
    .map(([content, instants]): [string, Instant[]] => [content, [...instants].sort()])
    .sort(([left], [right]) => compareCodePoints(left, right))
}

const stored = async (ports: StorePorts, key: AccountKey) =>
  (await right(ports.accounts.find(key)))?.details.notes

/** Notes that are added to accounts. */
export const noteCases = casesOf<StorePorts>('AccountNotes', {
  'notes are added after those that are there, in order, and come back equal': async (ports) => {
    const account = aSmallAccount(await freshKey(ports))
    const first = { ...account, details: { ...account.details, notes: [aNote('first')] } }
    await right(ports.unitOfWork.run(({ accounts }) => accounts.create([first])))
    const second: AccountNote = {
      body: 'pinned 🔌',
      document_paths: [{ document_path: 'a/b.pdf' }, { document_path: 'ä.pdf' }],
      created_at: after(5),
      is_pinned: true,
      unpin_at: after(60),
    }
    const { body: _body, ...third } = { ...second, is_pinned: false }
    await right(add(ports, account.key, [given(second)]))
    await right(add(ports, account.key, [timeless(third)]))
    await right(add(ports, account.key, []))
    equal(await stored(ports, account.key), [aNote('first'), second, third])
  },
  'notes are found by their content to the letter, those that the account was created with too': async (
    ports,
  ) => {
    const account = aSmallAccount(await freshKey(ports))
    const notes = [aNote('twice'), aNote('twice'), aNote('case'), aNote('e\u0301')]
    await right(
      ports.unitOfWork.run(({ accounts }) =>
        accounts.create([{ ...account, details: { ...account.details, notes } }]),
      ),
    )
    const { key } = account
    await right(add(ports, key, [given(aNote('case', after(1))), timeless(aNote('other '))]))
    const ask = ['twice', 'case', 'Case', 'other', 'other ', '\u00e9', 'e\u0301'].map((body) =>
      noteContent({ body }),
    )
    equal(await known(ports, key, ask), [
      [noteContent({ body: 'case' }), [start, after(1)]],
      [noteContent({ body: 'e\u0301' }), [start]],
      [noteContent({ body: 'other ' }), [start]],
      [noteContent({ body: 'twice' }), [start, start]],
    ])
    equal(await known(ports, key, []), [])
  },
  'bodies, and paths where there is no body, that look alike are different contents': async (ports) => {
    const { key } = await createdAccount(ports)
    const bodies = lookAlikes('note').map((body) => aNote(body))
    const paths = lookAlikes('a.pdf').map((document_path): AccountNote => {
      const { body: _body, ...others } = aNote('')
      return { ...others, document_paths: [{ document_path }] }
    })
    for (const note of [...bodies, ...paths]) {
      equal(await known(ports, key, [noteContent(note)]), [])
      await right(add(ports, key, [timeless(note)]))
      equal(await known(ports, key, [noteContent(note)]), [[noteContent(note), [start]]])
    }
  },
  "another account's notes are not found": async (ports) => {
    const { key } = await createdAccount(ports)
    const { key: other } = await createdAccount(ports)
    await right(add(ports, key, [timeless(aNote('same'))]))
    equal(await known(ports, other, [noteContent({ body: 'same' })]), [])
    await right(add(ports, other, [timeless(aNote('same'))]))
    equal(await stored(ports, other), [aNote('same')])
  },
  'a note that is there already is a failure that adds nothing: the store itself guards against repeats':
    async (ports) => {
      const account = aSmallAccount(await freshKey(ports))
      const notes = [aNote('of the payload', after(0.75))]
      await right(
        ports.unitOfWork.run(({ accounts }) =>
          accounts.create([{ ...account, details: { ...account.details, notes } }]),
        ),
      )
      const { key } = account
      await right(add(ports, key, [timeless(aNote('timeless')), given(aNote('timed', after(1)))]))
      const before = await stored(ports, key)
      for (const repeated of [
        timeless(aNote('timeless', after(9))),
        given(aNote('timed', after(1))),
        given(aNote('of the payload', after(0.75))),
      ]) {
        const failure = await left(add(ports, key, [timeless(aNote('bystander')), repeated]))
        equal(failure._tag, 'PortFailure')
        equal(await stored(ports, key), before)
      }
      await right(add(ports, key, [given(aNote('timed', after(2))), given(aNote('timeless', after(2)))]))
    },
  'thousands of notes are added at once and found at once': async (ports) => {
    const { key } = await createdAccount(ports)
    const notes = Array.from({ length: 2500 }, (_, index) => aNote(`note ${index}`))
    await right(add(ports, key, notes.map(timeless)))
    equal(await stored(ports, key), notes)
    const contents = notes.map(noteContent)
    equal((await known(ports, key, [...contents, 'none'])).length, 2500)
  },
})
