import test, { type ExecutionContext } from 'ava'
import { type Scope, scopes } from '@account-import/core'
import { organisation, pausing, right } from '../use-cases/support/service.js'
import { codeIn, cookieOf, sendForm, servedConsole, wordsIn } from './support/served-console.js'

/** A finished run of accounts, the form of its preview, and a function that sends the form. */
const undoable = async (
  t: ExecutionContext,
  numbers: readonly string[],
  given: readonly Scope[] = scopes,
) => {
  const served = await servedConsole(t)
  const { open, stage, create, useCases, home, keyOf } = served
  const id = await open({ label: 'Wrong file' })
  for (const [at, number] of numbers.entries()) await stage(id, number, at + 1)
  await create(id, ...numbers)
  await right(useCases.finishImportRun({ organisation, id }))
  const key = await keyOf(given)
  const Cookie = await cookieOf(home, key)
  const address = `${home}runs/${id}/undo/`
  const preview = async (query = '') => {
    const text = await (await fetch(address + query, { headers: { Cookie } })).text()
    const fields = new URLSearchParams()
    for (const [, name = '', value = ''] of text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g))
      fields.append(name, value)
    return { text, fields }
  }
  const send = (fields: URLSearchParams, confirmed = 'yes') =>
    fetch(address, {
      method: 'POST',
      headers: { Cookie, 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams([...fields, ['confirmed', confirmed]]),
    })
  const page = async (path: string) => (await fetch(home + path, { headers: { Cookie } })).text()
  return { ...served, id, key, address, preview, send, page, Cookie }
}

test('a preview changes nothing, and its confirmation undoes the accounts of the run in the name of the key', async (t) => {
  const { id, key, preview, send, page, useCases } = await undoable(t, ['A', 'B', 'C'])
  const { text, fields } = await preview()
  t.regex(wordsIn(text), /3 accounts looked at Would be undone 3 Kept 0 Remove 3 accounts/)
  t.true((await page(`runs/${id}/`)).includes('Undo the run…'))
  const undone = await (await send(fields)).text()
  t.regex(wordsIn(undone), /3 accounts undone Undone 3 Kept 0 Back to the run/)
  const run = await page(`runs/${id}/`)
  t.regex(wordsIn(run), /undone The latest undo was now by key \w+ \. Accounts 3 Created 0 Undone 3/)
  t.false(run.includes('Undo the run…') || run.includes('Accounts of the run'))
  const events: string[] = []
  for await (const found of await right(useCases.audit.list({ organisation })))
    for (const { entry } of await right(found)) if (entry.what === 'undone') events.push(entry.by.who)
  t.is(events.length, 3)
  t.true(events.every((who) => key.includes(who.replace('key ', ''))))
  t.regex(wordsIn((await preview()).text), /There is no account to undo/)
})

test('accounts with additions are kept, with the reason, unless the preview includes them', async (t) => {
  const { preview, send, useCases, page, id } = await undoable(t, ['A', 'B'])
  const payload = { import_supplier: 'LEVANTE', external_account_number: 'A', notes: [{ body: 'new' }] }
  await right(useCases.addNotes({ organisation, payload }))
  const { text, fields } = await preview()
  t.regex(
    wordsIn(text),
    /Would be undone 1 Kept 1 .* Kept: 1 .* Something was added .* A Something was added/,
  )
  t.regex(wordsIn(await (await send(fields)).text()), /Undone 1 Kept 1 /)
  t.regex(wordsIn(await page(`runs/${id}/`)), /partly undone/)
  const all = await preview('?with_additions=true')
  t.regex(wordsIn(all.text), /Remove 1 account, with items and e-mails, and the additions of 1 of them/)
  t.regex(wordsIn(await (await send(all.fields)).text()), /Undone 1 Kept 0 /)
})

test('of two tabs that undo one run, the later one undoes nothing twice', async (t) => {
  const { preview, send, useCases, id, page } = await undoable(t, ['A', 'B', 'C'])
  const [one, other] = [await preview(), await preview()]
  const answers = await Promise.all([send(one.fields), send(other.fields)])
  const told = await Promise.all(answers.map(async (answer) => wordsIn(await answer.text())))
  const counts = told.map((text) => Number(/ Undone (\d+) /.exec(text)?.[1]))
  t.is((counts[0] ?? 0) + (counts[1] ?? 0), 3, told.join('\n'))
  t.regex(wordsIn(await (await send(one.fields)).text()), /Undone 0 Kept 0 /)
  t.is((await right(useCases.findImportRun({ organisation, id }))).undone?.count, 3)
  t.regex(wordsIn(await page(`runs/${id}/`)), /Undone 3/)
})

test('accounts that changed since the preview, and those of an old preview, are kept', async (t) => {
  const { preview, send, useCases, clock } = await undoable(t, ['A', 'B'])
  const { fields } = await preview()
  const payload = { import_supplier: 'LEVANTE', external_account_number: 'A', notes: [{ body: 'new' }] }
  await right(useCases.addNotes({ organisation, payload }))
  t.regex(
    wordsIn(await (await send(fields)).text()),
    /Undone 0 Kept 2 .* It changed since the preview 2 .* Preview again/,
  )
  const later = await preview()
  clock.pass(901)
  t.regex(wordsIn(await (await send(later.fields)).text()), /Undone 0 Kept 2 /)
})

test('a run of more accounts than one batch is undone batch by batch', async (t) => {
  const numbers = Array.from({ length: 1001 }, (_, index) => `N-${String(index).padStart(4, '0')}`)
  const { preview, send } = await undoable(t, numbers)
  const { text, fields } = await preview()
  t.is(fields.getAll('batch').length, 2)
  t.regex(wordsIn(text), /1,000 accounts looked at 1,001 accounts looked at Would be undone 1,001/)
  t.regex(
    wordsIn(await (await send(fields)).text()),
    /1,000 accounts undone 1,001 accounts undone Undone 1,001 Kept 0/,
  )
})

test('an undo without the confirmation, without a preview, or with a changed form is refused', async (t) => {
  const { preview, send, id, useCases } = await undoable(t, ['A'])
  const { fields } = await preview()
  for (const [sent, confirmed] of [
    [fields, 'no'],
    [new URLSearchParams(), 'yes'],
    [new URLSearchParams({ batch: 'nonsense' }), 'yes'],
    [new URLSearchParams({ batch: `${fields.get('batch')?.split(' ')[0]} ` }), 'yes'],
  ] as const)
    t.is(await codeIn(await send(sent, confirmed)), '400 undo_not_confirmed')
  const batch = fields.get('batch')?.replace(/-\w/, '-0') ?? ''
  t.regex(wordsIn(await (await send(new URLSearchParams({ batch: `${batch}` }))).text()), /Undone (0|1) /)
  t.true(((await right(useCases.findImportRun({ organisation, id }))).undone?.count ?? 0) <= 1)
})

test('an undo needs the scope, and a complete supplier keeps its accounts', async (t) => {
  const { address, id, page, Cookie } = await undoable(t, ['A'], ['read'])
  t.false((await page(`runs/${id}/`)).includes('Undo the run'))
  for (const answer of [
    await fetch(address, { headers: { Cookie } }),
    await sendForm(address, { confirmed: 'yes' }, { Cookie }),
  ])
    t.is(await codeIn(answer), '403 permission_denied')
  const complete = await undoable(t, ['A'])
  const { fields } = await complete.preview()
  await right(pausing(complete.useCases, 'complete'))
  t.regex((await complete.preview()).text, /role="alert">.*supplier_complete|role="alert">/s)
  t.regex(wordsIn(await (await complete.send(fields)).text()), /Undone 0 Kept 0 /)
})
