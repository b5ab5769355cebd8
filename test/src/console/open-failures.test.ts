import test from 'ava'
import { organisation, right } from '../use-cases/support/service.js'
import { codeIn, cookieOf, refusing, sendForm, servedConsole, wordsIn } from './support/served-console.js'

test('refused accounts of earlier runs stay on the overview until they are accepted, or dismissed with a reason', async (t) => {
  const { open, stage, opener, useCases, home, keyOf: apiKeyOf, ports } = await servedConsole(t)
  const first = await open()
  for (const [at, number] of ['A', 'B', 'C'].entries()) await stage(first, number, at + 1, refusing)
  await right(useCases.finishImportRun({ organisation, id: first }))
  const second = await open()
  await stage(second, 'B', 1)
  await stage(second, 'D', 2)
  const page = await opener()
  const card = wordsIn(await page(''))
  t.regex(card, /Received 4 Created 0 Staged, not created yet 2 Skipped 0 Refused 2 /)
  t.regex(card, /Waits for a person 2 refused accounts to correct or dismiss: see why/)
  const list = await page('failures/?supplier=LEVANTE')
  t.deepEqual(
    [...list.matchAll(/name="failure" value="(.*?)"/g)].map(([, value]) => value),
    ['nA', 'nC'],
  )
  t.regex(wordsIn(list), / A not_a_list in customers of the account now 1 C /)
  const reader = await opener(['read'])
  t.false((await reader('failures/?supplier=LEVANTE')).includes('<form method="post">'))
  const Cookie = await cookieOf(home, await apiKeyOf(['read', 'process']))
  const address = `${home}failures/?supplier=LEVANTE`
  t.is(await codeIn(await sendForm(address, { failure: 'nA' }, { Cookie })), '400 request_failed_validation')
  const sent = await sendForm(address, { failure: 'nA', reason: 'Closed' }, { Cookie })
  t.deepEqual([sent.status, sent.headers.get('location')], [303, '?supplier=LEVANTE&dismissed=1'])
  t.regex(
    wordsIn(await page('failures/?supplier=LEVANTE&dismissed=1')),
    /1 failure dismissed\. .* C not_a_list/,
  )
  const events = await right(
    ports.auditTrail.events({ organisation, externalAccountNumber: 'A' }, undefined, 10),
  )
  t.like(events.at(-1)?.entry, { what: 'failure_dismissed', subject: 'Closed' })
})
