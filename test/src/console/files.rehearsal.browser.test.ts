import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import type { Download, Page } from 'playwright-core'
import { inaccessible, openBrowser } from '../pages/looker.js'
import { newSqlite } from '../support/on-backend.js'
import { gasAccount } from '../support/samples.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase } from '../support/shared-database.js'
import { tempFiles } from '../support/temp-folder.js'
import { organisation, right } from '../use-cases/support/service.js'
import { loggedIn, logIn } from './support/log-in.js'
import { servedConsole } from './support/served-console.js'

const accounts = (count: number, supplier = 'LEVANTE'): readonly object[] =>
  Array.from({ length: count }, (_, at) => gasAccount(supplier, `A-${at + 1}`))

const linesOf = (all: readonly object[]): string => all.map((each) => `${JSON.stringify(each)}\n`).join('')

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: '',
  buffer: Buffer.from(content),
})

/** A console in memory, and a browser that is logged in at the page that checks files. */
const checking = async (t: ExecutionContext) => {
  const served = await servedConsole(t)
  const context = await openBrowser(t)
  const key = await served.keyOf(['read', 'validate', 'stage', 'process'])
  const page = await loggedIn(context, `${served.home}check/`, key, '#file:enabled')
  return { ...served, context, page, key }
}

const choose = (page: Page, name: string, content: string | Buffer): Promise<void> =>
  page.locator('#file').setInputFiles(file(name, content))

/** Waits for the text in the results or the state of the work. */
const says = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('main').getByText(text).first().waitFor()

const downloaded = async (page: Page, button: string): Promise<string> => {
  const [download]: [Download, void] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return readFile(await download.path(), 'utf8')
}

/** The number beside a name in the tables of the results. */
const count = async (page: Page, name: string): Promise<string | undefined> =>
  (await page
    .locator('#results tr', { has: page.getByRole('rowheader', { name, exact: true }) })
    .first()
    .locator('td')
    .first()
    .textContent()) ?? undefined

test.serial(
  'a file is checked without a request, with codes, places, the first lines and tables, and its hostile name is text',
  async (t) => {
    const { page, home, useCases } = await checking(t)
    await right(useCases.operator.createTeam('</script><b>Team'))
    await page.reload()
    await page.locator('#file:enabled').waitFor()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.evaluate(
      `window.refused = []; document.addEventListener('securitypolicyviolation', (event) => window.refused.push(event.blockedURI))`,
    )
    const invalid = { ...gasAccount('LEVANTE', 'B-1'), customers: 'nobody', '<i>x</i>': 1 }
    const name = '<img src=x onerror="document.title=1">\u202e.ndjson'
    await choose(
      page,
      name,
      linesOf([...accounts(3), invalid, ...accounts(1), { ...invalid, external_account_number: '=B-2' }]),
    )
    await says(page, '2 accounts of 6 fail validation and cannot be imported unchanged.')
    t.deepEqual([...new Set(requests)], [`${home}assets/worker.js`])
    t.is(await count(page, 'valid'), '4')
    t.is(await count(page, 'failed'), '2')
    await says(page, 'line 4; also 6')
    await says(page, 'line 5 repeats line 1')
    await says(page, name)
    t.is(await page.locator('main :is(img, i, b)').count(), 0)
    t.regex(
      (await page.getByRole('link', { name: 'not_a_list' }).getAttribute('href')) ?? '',
      /^\.\.\/\.\.\/docs\/errors\/not_a_list\/$/,
    )
    t.deepEqual(await page.locator('option').allTextContents(), ['</script><b>Team', 'Migration team'])
    const failures = await downloaded(page, 'Save the failures (CSV)')
    t.regex(
      failures,
      /\r\n"B-1",4,"validate","not_a_list","customers"\r\n"'=B-2",6,"validate","not_a_list","customers"\r\n$/,
    )
    t.true(
      (await downloaded(page, 'Save every finding (CSV)')).includes(
        '\r\n4,"B-1","error","customers","not_a_list",',
      ),
    )
    t.deepEqual(await inaccessible(page), [])
    t.deepEqual(await page.evaluate('window.refused'), [])
    await page.setViewportSize({ width: 400, height: 800 })
    t.true(
      await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
    )
    t.deepEqual(
      [...new Set(requests)].filter((url) => !url.startsWith('blob:')),
      [`${home}assets/worker.js`],
    )
  },
)

test.serial(
  'a gzip file and an array can be dropped on the page, and an unreadable file says why',
  async (t) => {
    const { page } = await checking(t)
    const drop = async (name: string, content: Buffer): Promise<void> => {
      const data = await page.evaluateHandle(
        `(() => {
        const transfer = new DataTransfer()
        const bytes = Uint8Array.from(atob('${content.toString('base64')}'), (each) => each.charCodeAt(0))
        transfer.items.add(new File([bytes], '${name}'))
        return transfer
      })()`,
      )
      await page.dispatchEvent('main', 'drop', { dataTransfer: data })
    }
    await drop('a.gz', gzipSync(JSON.stringify(accounts(5))))
    await says(page, '5 accounts on 5 lines')
    t.regex(await page.locator('#file').inputValue(), /\ba\.gz$/)
    await drop('a.csv', Buffer.from('number;name\n1;Ana\n'))
    await says(page, /looks like CSV/)
    t.is(await page.locator('#results').textContent(), '')
    const whole = gzipSync(linesOf(accounts(2)))
    for (const broken of [whole.subarray(0, 100), Buffer.concat([whole, whole])]) {
      await drop('b.gz', broken)
      await says(page, /gzip data is damaged/)
      await drop('a.gz', whole)
      await says(page, '2 accounts on 2 lines')
    }
  },
)

test.serial(
  'the valid accounts are imported by keyboard alone, the others are refused in the run, and a repeated import creates none twice',
  async (t) => {
    const { page, useCases, context } = await checking(t)
    const content = linesOf([...accounts(30), { ...gasAccount('LEVANTE', 'B-1'), customers: 'nobody' }])
    await page.locator('#file').focus()
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')])
    await chooser.setFiles(file('a.ndjson', content))
    await says(page, '1 account of 31 fails validation')
    const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent')
    while (!(await focused()).startsWith('Import 30 valid')) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Imported, with failures' }).waitFor()
    t.is(await count(page, 'created'), '30')
    t.is(await focused(), 'Imported, with failures')
    t.deepEqual(await inaccessible(page), [])
    const { items } = await right(
      useCases.importRunsPage({ organisation, importSupplier: undefined, after: undefined, limit: 9 }),
    )
    t.is(items.length, 1)
    t.like(items[0], {
      state: 'finished',
      source: { name: 'a.ndjson', accounts: 31 },
      totals: { created: 30, refused: 1 },
    })
    t.deepEqual(await right(useCases.openFailureCounts({ organisation, importSupplier: 'LEVANTE' })), {
      stage: 1,
      process: 0,
    })
    await page.reload()
    await choose(page, 'a.ndjson', content)
    await page.getByRole('button', { name: 'Import 30 valid accounts' }).click()
    await page.getByRole('heading', { name: 'Imported' }).waitFor()
    t.is(await count(page, 'created before'), '30')
    await page.getByRole('link', { name: 'Import run of LEVANTE' }).waitFor()
    await context.clearCookies()
    await choose(page, 'a.ndjson', content)
    await page.getByRole('button', { name: 'Import 30 valid accounts' }).click()
    await says(page, /Your session has ended/)
  },
)

test.serial('a visitor who may not create accounts can check, and has no import', async (t) => {
  const { home, keyOf } = await servedConsole(t)
  const page = await loggedIn(
    await openBrowser(t),
    `${home}check/`,
    await keyOf(['validate', 'stage']),
    '#file:enabled',
  )
  await choose(page, 'a.ndjson', linesOf(accounts(2)))
  await says(page, '2 accounts on 2 lines')
  t.is(await page.getByRole('button', { name: /^Import/ }).count(), 0)
})

test.serial(
  'an import goes on over a restart of its service, and after a reload, and creates each account once',
  async (t) => {
    const { url, remove } = await newSqlite()
    const database = await openSharedDatabase(url, { CONSOLE: 'on' })
    const start = (port: string) => startServerProcess({ ...database.environment, PORT: port })
    let server = await start('0')
    t.teardown(async () => {
      await server.stop()
      await database.close()
      await remove()
    })
    const files = await tempFiles(t)
    await files.put('a.ndjson', linesOf(accounts(1500, database.supplier)))
    const context = await openBrowser(t)
    // Two imports and the start of a server, on a machine with other work.
    t.timeout(400_000)
    const page = await loggedIn(context, `${server.address}/console/check/`, database.apiKey, '#file:enabled')
    const created = async (): Promise<number> => {
      const [row] = await database
        .knex('account_imports')
        .whereNotNull('platform_account_number')
        .count({ n: '*' })
      return Number(row?.['n'])
    }
    // Requests beyond these wait, so that the import has begun and is not done, however fast the database is.
    let passing = 0
    let letAllPass = (): void => undefined
    const allPass = new Promise<void>((resolve) => (letAllPass = resolve))
    await context.route(/bulk-import/, async (route) => {
      if ((passing -= 1) < 0) await allPass
      // The page that sent it may be gone.
      await route.continue().catch(() => undefined)
    })
    const begin = async (): Promise<void> => {
      passing = 2
      await page.locator('#file').setInputFiles(files.path('a.ndjson'))
      await page.getByRole('button', { name: 'Import 1,500 valid accounts' }).click()
    }
    await begin()
    await says(page, /created [1-9]/)
    await page.reload()
    await begin()
    await says(page, /created before \d/)
    await server.kill()
    letAllPass()
    await says(page, /Trying again/)
    server = await start(new URL(server.address).port)
    await page.getByRole('heading', { name: 'Imported' }).waitFor()
    t.is(await created(), 1500)
    const sum = (await Promise.all(['created', 'created before'].map((name) => count(page, name)))).map(
      (text) => Number(text?.replace(',', '')),
    )
    t.is(
      sum.reduce((one, other) => one + other, 0),
      1500,
    )
  },
)

test.serial(
  'files are proved against the service by digests, and the proof is saved as a page and as JSON',
  async (t) => {
    const { page, home } = await checking(t)
    const content = linesOf(accounts(20))
    await choose(page, 'a.ndjson', content)
    await page.getByRole('button', { name: 'Import 20 valid accounts' }).click()
    await page.getByRole('heading', { name: 'Imported' }).waitFor()
    await page.goto(`${home}proof/`)
    const bodies: string[] = []
    page.on('request', (request) => bodies.push(`${request.method()} ${request.postData() ?? ''}`))
    await page.locator('#file:enabled').setInputFiles([file('<b>a</b>.ndjson', content)])
    await says(page, '20 of 20 accounts are equal. Nothing differs.')
    t.deepEqual([...new Set(bodies)], ['GET '])
    t.is(await page.locator('main b').count(), 0)
    t.deepEqual(await inaccessible(page), [])
    const json = JSON.parse(await downloaded(page, 'Save as JSON')) as object
    t.like(json, { proved: true, import_supplier: 'LEVANTE', accounts: { equal: 20 } })
    const html = await downloaded(page, 'Save as a page')
    t.true(
      html.includes('Nothing differs.') &&
        html.includes('&lt;b&gt;a&lt;/b&gt;.ndjson') &&
        !html.includes('<script'),
    )
    const changed = accounts(20).map((each, at) => (at === 4 ? { ...each, billing_name: 'Another' } : each))
    await page
      .locator('#file')
      .setInputFiles([file('b.ndjson', linesOf([...changed, gasAccount('LEVANTE', 'C-1')]))])
    await says(page, /Not proved: 1 account differs; 1 account is missing/)
    await says(page, 'billing_name')
  },
)

test.serial('pages that read files say without JavaScript that they need it', async (t) => {
  const { home, keyOf } = await servedConsole(t)
  const context = await (await openBrowser(t)).browser()?.newContext({ javaScriptEnabled: false })
  if (context === undefined) return t.fail('no browser')
  t.teardown(() => context.close())
  const page = await context.newPage()
  await page.goto(`${home}check/`)
  await logIn(page, await keyOf())
  for (const folder of ['check/', 'proof/']) {
    await page.goto(home + folder)
    t.is(await page.locator('#file:disabled').count(), 1)
    t.regex(await page.content(), /<noscript>.*this page needs JavaScript/s)
  }
})
