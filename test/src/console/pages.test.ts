import test from 'ava'
import { instantOf, scopes } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { someUseCases } from '../http/support/some-use-cases.js'
import { keyOf, organisation, pausing, right } from '../use-cases/support/service.js'
import {
  cookieOf,
  refusing,
  sendForm,
  serveConsole,
  servedConsole,
  wordsIn,
} from './support/served-console.js'

const cardsIn = (page: string): readonly string[] =>
  [...page.matchAll(/<section class="card">(.*?)<\/section>/gs)].map(([, card = '']) => wordsIn(card).trim())

test('the overview shows for each supplier received, created, staged and refused accounts, the latest run, its codes, and what waits for a person', async (t) => {
  const { open, stage, create, opener, useCases, clock } = await servedConsole(t)
  await right(useCases.operator.createSupplier({ code: 'PONIENTE', organisation }))
  const id = await open({ label: 'Rehearsal' })
  for (const [at, number] of ['A', 'B', 'C'].entries()) await stage(id, number, at + 1)
  await stage(id, 'D', 4, refusing)
  await create(id, 'A', 'B')
  clock.pass(120)
  await right(useCases.finishImportRun({ organisation, id }))
  await right(pausing(useCases))
  const page = await opener()
  const [first = '', second = '', ...others] = cardsIn(await page(''))
  t.deepEqual(others, [])
  t.is(
    first,
    'LEVANTE paused Received 4 Created 2 Staged, not created yet 1 Skipped 0 Refused 1 ' +
      'Latest run Rehearsal finished 2 minutes ago by key k1 2 created · 1 refused ' +
      'Most frequent errors not_a_list in customers of the account : 1 account ' +
      'Waits for a person 1 refused account to correct or dismiss: see why 1 staged account to process ' +
      'The supplier LEVANTE is paused and accepts nothing',
  )
  t.regex(second, /^PONIENTE ongoing Received 0 .* Latest run None yet\. Waits for a person Nothing\.$/)
  const bar = /<svg class="bar" viewBox="0 0 4 1".*?<\/svg>/s.exec(await page(''))?.[0] ?? ''
  t.deepEqual(
    [...bar.matchAll(/class="(\w+)" x="(\d)" width="(\d)"/g)].map(([, ...part]) => part.join(' ')),
    ['good 0 2', 'info 2 1', 'soft 3 0', 'bad 3 1'],
  )
})

test('an overview without a supplier says how to begin', async (t) => {
  const { opener, useCases } = await servedConsole(t)
  await right(useCases.operator.createOrganisation({ code: 'OTHER' }))
  const page = await opener(scopes, 'OTHER')
  t.true((await page('')).includes('account-import supplier create'))
})

const runsIn = (page: string): readonly string[] =>
  [...page.matchAll(/<li>\s*<div>(.*?)<\/li>/gs)].map(([, item = '']) => wordsIn(item).trim())

test('the list of runs shows state, outcome, key, time and duration, and is filtered by supplier, state and period', async (t) => {
  const { open, stage, create, opener, useCases, clock } = await servedConsole(t)
  await right(useCases.operator.createSupplier({ code: 'PONIENTE', organisation }))
  const old = await open({ label: 'Old' })
  await right(useCases.finishImportRun({ organisation, id: old }))
  clock.pass(10 * 86_400)
  const id = await open({ label: 'Rehearsal' })
  await stage(id, 'A', 1)
  await create(id, 'A')
  await stage(id, 'D', 2, refusing)
  clock.pass(37)
  await right(useCases.finishImportRun({ organisation, id }))
  await open({ label: 'Interrupted' }, organisation, 'PONIENTE')
  clock.pass(3600)
  await open({ label: 'Running' })
  const page = await opener()
  const shown = async (query = '') => runsIn(await page(`runs/${query}`))
  t.deepEqual(await shown(), [
    'Running LEVANTE · key k1 running 0 created · 0 refused now · 0 s',
    'Interrupted PONIENTE · key k1 interrupted 0 created · 0 refused 1 hour ago · 0 s',
    'Rehearsal LEVANTE · key k1 finished 1 created · 1 refused 1 hour ago · 37 s',
    'Old LEVANTE · key k1 finished 0 created · 0 refused 10 days ago · 0 s',
  ])
  const names = async (query: string) => (await shown(query)).map((item) => item.replace(/ .*/, ''))
  t.deepEqual(await names('?supplier=PONIENTE'), ['Interrupted'])
  t.deepEqual(await names('?state=finished'), ['Rehearsal', 'Old'])
  t.deepEqual(await names('?state=finished&days=1'), ['Rehearsal'])
  t.deepEqual(await names('?state=interrupted&supplier=PONIENTE&days=7'), ['Interrupted'])
  t.deepEqual(await names('?days=1&state=&supplier='), ['Running', 'Interrupted', 'Rehearsal'])
  const none = await page('runs/?state=undone')
  t.true(none.includes('No run matches.') && none.includes('<option value="undone" selected>'))
  t.regex(await page('runs/'), /<time datetime="2025-09-11T11:00:37Z" title="2025-09-11 11:00:37 UTC">now</)
})

test('the list of runs has pages that keep the filter', async (t) => {
  const { open, opener, clock, useCases } = await servedConsole(t)
  for (let number = 1; number <= 102; number += 1) {
    clock.pass(1)
    const id = await open({ label: `Run ${number}.` })
    if (number % 2 === 0) await right(useCases.finishImportRun({ organisation, id }))
  }
  const page = await opener()
  const nextOf = (text: string) =>
    /href="(\?[^"]*cursor=[^"]+)">Earlier runs/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  const all: string[] = []
  for (let query: string | undefined = '?state=finished'; query !== undefined;) {
    const text = await page(`runs/${query}`)
    all.push(...runsIn(text).map((item) => item.replace(/\. .*/, '')))
    query = nextOf(text)
  }
  t.deepEqual(
    all,
    Array.from({ length: 51 }, (_, index) => `Run ${102 - 2 * index}`),
  )
  t.is(runsIn(await page('runs/')).length, 50)
})

test('a run shows counts, rate, codes and failures page by page, without values of accounts, and is loaded again until it is finished', async (t) => {
  const { open, stage, create, opener, useCases, clock, home, keyOf } = await servedConsole(t)
  const id = await open({ label: 'Rehearsal' })
  for (let line = 1; line <= 51; line += 1)
    await stage(id, `A-${line}`, line, { customers: [{ landline: 'a-value' }] })
  for (let line = 52; line <= 54; line += 1) await stage(id, `A-${line}`, line)
  clock.pass(10)
  await create(id, 'A-54')
  const page = await opener()
  const first = await page(`runs/${id}/`)
  t.regex(
    wordsIn(first),
    /running Accounts 54 Created 1 Staged, not created 2 Refused 51 0\.1 accounts a second, about 20 s left for the 2 staged accounts/,
  )
  const Cookie = await cookieOf(home, await keyOf())
  const refreshOf = async (query: string) =>
    (await fetch(`${home}runs/${id}/${query}`, { headers: { Cookie } })).headers.get('refresh')
  t.is(await refreshOf(''), '10')
  t.true(first.includes('<a href="?updates=off">Stop updating</a>'))
  t.is(await refreshOf('?updates=off'), null)
  t.regex(first, /docs\/errors\/invalid_phone_number\/"><code>invalid_phone_number<\/code><\/a>/)
  t.true(first.includes('customers[].landline') && !first.includes('customers.0.landline'))
  t.false(first.includes('a-value'))
  const numbersIn = (text: string) => [...text.matchAll(/<bdi>(A-\d+)<\/bdi>/g)].map(([, number]) => number)
  t.is(numbersIn(first).length, 50)
  const [, next = ''] = /href="(\?cursor=[^"#]+)#failures">Next page/.exec(first) ?? []
  const second = await page(`runs/${id}/${next}`)
  t.deepEqual(numbersIn(second), ['A-51'])
  t.true(second.includes('First page') && !second.includes('Next page'))
  t.is(await refreshOf(next), null)
  clock.pass(601)
  t.true((await page(`runs/${id}/`)).includes('The next one continues it'))
  await right(useCases.finishImportRun({ organisation, id }))
  const finished = await page(`runs/${id}/`)
  t.is(await refreshOf(''), null)
  t.false(finished.includes('updat') || finished.includes('accounts a second'))
  t.deepEqual(
    [...(await page(`runs/${id}/accounts/`)).matchAll(/number=([^"]+)"/g)].map(([, number]) => number),
    ['A-54'],
  )
})

test('failures are filtered by an error, and downloaded as CSV that no spreadsheet runs', async (t) => {
  const { open, stage, opener } = await servedConsole(t)
  const id = await open({ label: 'Rehearsal' })
  await stage(id, '＝1+1', 1, refusing)
  await stage(id, 'A,"2"', 2, { customers: [{ landline: 'a' }] })
  await stage(id, 'A-3', 3, { customers: [{ landline: 'b' }] })
  const page = await opener()
  await stage(id, 'A-4', 4, { customers: [{ mobile: 'b' }] })
  const [, query = ''] =
    /<a href="(\?[^"]+code=invalid_phone_number[^"]*)#failures">2</.exec(await page(`runs/${id}/`)) ?? []
  const ofError = await page(`runs/${id}/${query.replaceAll('&amp;', '&')}`)
  t.deepEqual(
    [...ofError.matchAll(/<th scope="row"><bdi>(.*?)<\/bdi>/g)].map(([, number]) => number),
    ['A,&quot;2&quot;', 'A-3'],
  )
  t.true(ofError.includes(`<a href="failures.csv${query}">`))
  t.regex(
    ofError,
    /<code>invalid_phone_number<\/code><\/a> in <bdi title="customers\[\]\.landline">landline of the customer</,
  )
  const lines = (await page(`runs/${id}/failures.csv`)).split('\r\n')
  t.is(lines[0], '"account_number","line","step","code","path","times","failed_at"')
  t.is(lines[1], `"'＝1+1",1,"stage","not_a_list","customers",1,"2025-09-01T10:00:00.000Z"`)
  t.true(lines[2]?.startsWith('"A,""2""",2,"stage",'))
  t.true(lines.length >= 5)
  const csv = await page(`runs/${id}/failures.csv?step=stage&code=not_a_list&field=customers`)
  t.is(csv.split('\r\n').length, 3)
  t.true((await page(`runs/${id}/?step=stage&code=%3Cb%3E`)).includes('<code>&lt;b&gt;</code>'))
})

test('an account is found by its number or its beginning, and shows state, numbers, runs, latest error and history, but no personal data', async (t) => {
  const { open, stage, create, opener, useCases, home, keyOf } = await servedConsole(t)
  await right(useCases.operator.createSupplier({ code: 'PONIENTE', organisation }))
  const id = await open({ label: 'Rehearsal' })
  for (const [at, number] of ['A-1', 'A-10', 'A-11', 'B', '..', 'a/b?c'].entries())
    await stage(id, number, at + 1)
  await create(id, 'A-1')
  const notes = { import_supplier: 'LEVANTE', external_account_number: 'A-1', notes: [{ body: 'a secret' }] }
  await right(useCases.addNotes({ organisation, payload: notes, by: { who: 'key k2 (day)' } }))
  const page = await opener()
  const found = async (query: string) =>
    [...(await page(`accounts/${query}`)).matchAll(/<th scope="row"><a[^>]*><bdi>(.*?)<\/bdi>/g)].map(
      ([, number]) => number,
    )
  t.deepEqual(await found('?number=A-1'), ['A-1', 'A-10', 'A-11'])
  t.deepEqual(await found('?supplier=LEVANTE&number='), ['..', 'A-1', 'A-10', 'A-11', 'B', 'a/b?c'])
  t.deepEqual(await found('?supplier=PONIENTE&number=A'), [])
  const Cookie = await cookieOf(home, await keyOf())
  const led = async (query: string) =>
    (await fetch(`${home}accounts/${query}`, { headers: { Cookie }, redirect: 'manual' })).headers.get(
      'location',
    )
  t.is(await led('?number=B'), '../accounts/account/?supplier=LEVANTE&number=B')
  for (const number of ['..', 'a/b?c']) {
    const to = (await led(`?${new URLSearchParams({ number }).toString()}`)) ?? ''
    t.true((await page(to.replace('../', ''))).includes(`<h1><bdi>${number}</bdi></h1>`), number)
  }
  const text = await page('accounts/account/?supplier=LEVANTE&number=A-1')
  t.regex(
    wordsIn(text),
    new RegExp(
      `A-1 Account of LEVANTE created Platform account number \\S+ Attempts 1 Staged by run ${id} Created by run ${id} Additions since 1 History`,
    ),
  )
  t.regex(wordsIn(text), /now staged unnamed .* now created key k1 \S+ now notes added key k2 \(day\)/)
  t.false(text.includes('a secret'))
})

test('an account that was refused shows its latest error with the page of the code', async (t) => {
  const { open, stage, opener, ports, clock } = await servedConsole(t)
  await stage(await open(), 'A-1', 1)
  const failure = { code: 'account_failed_validation', at: clock.now() }
  await right(ports.accountImports.release([{ key: keyOf('A-1'), failure }]))
  clock.pass(60)
  const page = await opener()
  const text = await page('accounts/account/?supplier=LEVANTE&number=A-1')
  t.regex(
    wordsIn(text),
    /refused .* account_failed_validation The latest attempt failed 1 minute ago .* Attempts 1 /,
  )
  t.true(text.includes('href="../../../docs/errors/account_failed_validation/"'))
})

test('runs and accounts of another organisation are as unknown ones, and each organisation has its own list', async (t) => {
  const { open, opener, useCases } = await servedConsole(t)
  await right(useCases.operator.createOrganisation({ code: 'OTHER' }))
  await right(useCases.operator.createSupplier({ code: 'THEIRS', organisation: 'OTHER' }))
  const [ours, theirs] = [await open(), await open({ label: 'Secret' }, 'OTHER', 'THEIRS')]
  const page = await opener(scopes)
  for (const path of ['', 'runs/', 'accounts/', 'check/', 'proof/']) {
    const text = await page(path)
    t.false(text.includes(theirs) || text.includes('Secret') || text.includes('THEIRS'), path)
  }
  t.true((await page('runs/')).includes(ours))
  for (const rest of ['', 'accounts/', 'undo/', 'failures.csv'])
    t.is(
      (await page(`runs/${theirs}/${rest}`, 404)).replaceAll(theirs, 'nothing'),
      await page(`runs/nothing/${rest}`, 404),
    )
  t.is((await page('runs/?supplier=THEIRS')).match(/No run matches/g)?.length, 1)
  await page('accounts/account/?supplier=THEIRS&number=A', 404)
})

const hostile = `<img src=x onerror=alert(1)>"'&\u202E<script>`
const shownHostile = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;\u202E&lt;script&gt;'

test('labels, file names, numbers, paths, keys and queries are shown unchanged, and never become markup', async (t) => {
  const { open, stage, create, opener, home, useCases } = await servedConsole(t)
  const source = { name: hostile, sha256: 'ab'.repeat(32) }
  const [labelled, named] = [await open({ label: hostile }), await open({ source })]
  await stage(labelled, '<b>A"1', 1, { [`<i>x"`]: 1, ...refusing })
  await stage(named, '<b>A"2', 2)
  await create(named, '<b>A"2')
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation, name: '<u>"k', scopes }))
  const cookie = await cookieOf(home, apiKey)
  const number = encodeURIComponent('<b>A"2')
  const page = await opener(scopes)
  for (const path of [
    '',
    'runs/',
    `runs/${labelled}/`,
    `runs/${named}/`,
    `runs/${named}/accounts/`,
    `runs/${named}/undo/`,
    'accounts/?supplier=LEVANTE&number=%3Cb%3E',
    `accounts/?number=${number}x`,
    `accounts/account/?supplier=LEVANTE&number=${number}`,
    `runs/${labelled}/?step=stage&code=${encodeURIComponent(hostile)}&field=${encodeURIComponent(hostile)}`,
  ]) {
    const answer = await fetch(home + path, { headers: { Cookie: cookie } })
    const text = await answer.text()
    t.is(answer.status, 200, path)
    t.notRegex(text, /<img|<i>|<b>|<u>|<script>/, path)
    t.true(text.includes('&lt;u&gt;&quot;k'), path)
  }
  t.true((await page('runs/')).includes(shownHostile))
  t.true((await page(`runs/${labelled}/`)).includes('&lt;b&gt;A&quot;1'))
  const login = await sendForm(`${home}log-in/`, { api_key: hostile, to: hostile })
  t.notRegex(await login.text(), /<img|<script>/)
  t.notRegex(await (await fetch(`${home}runs/?x=${encodeURIComponent(hostile)}`)).text(), /<img|<script>/)
})

test('every link, style and script of the pages exists below a base path', async (t) => {
  const { baseUrl, home, keyOf, open, stage, create } = await servedConsole(t, { basePath: '/imports' })
  const cookie = await cookieOf(home, await keyOf(scopes))
  const id = await open()
  await stage(id, 'A-1', 1, refusing)
  await stage(id, 'A-2', 2)
  await create(id, 'A-2')
  const seen = new Set<string>()
  const waiting = [home]
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (seen.has(address)) continue
    seen.add(address)
    const answer = await fetch(address, { headers: { Cookie: cookie } })
    t.is(answer.status, 200, address)
    const text = await answer.text()
    if (!new URL(address).pathname.startsWith('/imports/console/')) continue
    for (const [, to = ''] of text.matchAll(/(?:href|src)="(?!data:)([^"]+)"/g))
      waiting.push(new URL(to.replaceAll('&amp;', '&'), address).href.replace(/#.*/, ''))
  }
  for (const path of [
    'docs/',
    'docs/errors/not_a_list/',
    'console/assets/console.css',
    `console/runs/${id}/failures.csv`,
    `console/runs/${id}/undo/`,
    'console/accounts/account/?supplier=LEVANTE&number=A-2',
    'console/proof/',
  ])
    t.true(seen.has(`${baseUrl}/imports/${path}`), path)
})

test('a run shows that its failures were removed, and a code without a page is not a link', async (t) => {
  const at = instantOf(0)
  const run = {
    id: 'r1',
    organisation: 'ACME',
    importSupplier: 'LEVANTE',
    label: undefined,
    source: undefined,
    startedBy: 'key k1',
    startedAt: at,
    latestRequestAt: at,
    latestProgressAt: at,
    finishedAt: at,
    undone: undefined,
    totals: { created: 0, refused: 1234 },
    failuresRemovedAt: at,
    state: 'finished' as const,
    seconds: 0,
  }
  const errors = [{ step: 'process' as const, code: 'of_a_market', field: '', count: 1234 }]
  const counts = { staged: 0, created: 0, failed: { stage: 0, process: 1234 }, errors }
  const { home } = await serveConsole(
    t,
    someUseCases({
      findImportRun: async () => E.right(run),
      importRun: async () => E.right({ run, counts }),
      importRunFailures: async () => E.right({ items: [], next: undefined }),
    }),
    { now: () => 3_600_000 },
  )
  const answer = await fetch(`${home}runs/r1/`, { headers: { Cookie: '__Host-account-import=good' } })
  const text = await answer.text()
  t.regex(wordsIn(text), /They were removed 1 hour ago , after the retention/)
  t.true(text.includes('<code>of_a_market</code>') && !text.includes('errors/of_a_market'))
  t.true(text.includes('1,234'))
})
