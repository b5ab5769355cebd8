import type { Scope } from '@account-import/core'
import test from 'ava'
import { organisation, right } from '../use-cases/support/service.js'
import { codeIn, cookieOf, refusing, sendForm, servedConsole, wordsIn } from './support/served-console.js'

test('the bar of a run is as long as its file, so that an interrupted run does not look complete', async (t) => {
  const { open, stage, create, opener, clock } = await servedConsole(t)
  const source = { name: 'wave 1.ndjson', sha256: 'a'.repeat(64), accounts: 4000 }
  const id = await open({ source })
  await stage(id, 'A', 1)
  await stage(id, 'B', 2)
  await stage(id, 'C', 3, refusing)
  await create(id, 'A')
  clock.pass(11 * 60)
  const page = await opener()
  const text = await page(`runs/${id}/`)
  t.true(text.includes('<svg class="bar" viewBox="0 0 4000 1"'))
  t.regex(
    wordsIn(text),
    /Accounts 3 .* The run has 3 of the 4,000 accounts of the file\. The other 3,997 were not received, were staged or/,
  )
  const list = await page('runs/')
  t.true(list.includes('<svg class="bar" viewBox="0 0 4000 1"'))
  t.regex(wordsIn(list), /1 created · 1 refused · 4,000 in the file/)
  t.false(wordsIn(await page(`runs/${await open()}/`)).includes('of the file.'))
})

test('an interrupted run says how it goes on, and a key that may stage finishes it', async (t) => {
  const { open, opener, clock, keyOf, home, useCases } = await servedConsole(t)
  const source = { name: 'wave 1.ndjson', sha256: 'a'.repeat(64) }
  const id = await open({ source })
  clock.pass(11 * 60)
  const words = wordsIn(await (await opener())(`runs/${id}/`))
  t.regex(words, /send the same file again: account-import import wave 1\.ndjson .*Finish the run/)
  t.false((await (await opener(['read']))(`runs/${id}/`)).includes('Finish the run'))
  const finish = async (scopes: readonly Scope[]) =>
    sendForm(`${home}runs/${id}/finish/`, {}, { Cookie: await cookieOf(home, await keyOf(scopes)) })
  t.is(await codeIn(await finish(['read'])), '403 permission_denied')
  const answer = await finish(['read', 'stage'])
  t.deepEqual([answer.status, answer.headers.get('Location')], [303, '../'])
  t.not((await right(useCases.findImportRun({ organisation, id }))).finishedAt, undefined)
  t.false((await (await opener())(`runs/${id}/`)).includes('Finish the run'))
})
