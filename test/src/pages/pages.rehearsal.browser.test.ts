import { endpoints } from '@account-import/http-contract'
import test, { type ExecutionContext } from 'ava'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext } from 'playwright-core'
import { rolldown } from 'rolldown'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { account, invalidAccount } from '../offline/support/accounts.js'
import { offline } from '../offline/support/offline.js'
import { listen } from '../support/http-server.js'
import { published } from '../support/published.js'
import { root } from '../support/repository.js'
import { gasAccount } from '../support/samples.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { looker, openBrowser } from './looker.js'

/** A browser, and a service with demo data and its API key. */
const demo = async (t: ExecutionContext, settings: Readonly<Record<string, string>> = {}) => {
  const dataDir = await tempFolder(t)
  const [context, { address }] = await Promise.all([
    openBrowser(t),
    serveProcess(t, { DATA_DIR: dataDir, ...settings }, ['--demo']),
  ])
  const apiKey = (await readFile(join(dataDir, 'demo-api-key'), 'utf8')).trim()
  return { context, address, apiKey }
}

/** Tabs that are examined at the same time. */
const tabs = 3

/** The faults of each page that can be reached from the first ones, within the same folder. */
const walk = async (
  context: BrowserContext,
  folder: string,
  first: readonly string[],
  isLooked: (address: string) => boolean,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const found = new Map<string, readonly string[]>()
  const waiting = [...first]
  const known = new Set(waiting)
  const makes = new Set<string>()
  let looking = 0
  const tab = async (): Promise<void> => {
    const look = await looker(context, makes)
    for (;;) {
      const address = waiting.shift()
      if (address === undefined) {
        if (looking === 0) return
        await new Promise((resolve) => setTimeout(resolve, 10))
        continue
      }
      looking += 1
      const { faults, links } = await look(address)
      found.set(address, faults)
      for (const link of links.map((each) => each.replace(/#.*$/, '')))
        if (link.startsWith(folder) && isLooked(link) && !known.has(link)) {
          known.add(link)
          waiting.push(link)
        }
      looking -= 1
    }
  }
  await Promise.all(Array.from({ length: tabs }, tab))
  return found
}

const byLength = (names: Iterable<string>): readonly string[] =>
  [...names].toSorted((one, other) => other.length - one.length)

// The pages of codes are made by one template, and those of endpoints too: those with the longest names stand for all.
test('every page of a service meets policy and accessibility, on phones and by keyboard', async (t) => {
  const [context, { address }] = await Promise.all([
    openBrowser(t),
    serveProcess(t, { DATA_DIR: await tempFolder(t) }),
  ])
  const docs = `${address}/docs/`
  const [longest, others] = [byLength(published.keys()).slice(0, 3), byLength(published.keys()).slice(3)]
  const pageOf = (code: string): string => `${docs}errors/${code}/`
  const otherEndpoints = byLength(Object.keys(endpoints)).slice(3)
  const left = new Set([...others.map(pageOf), ...otherEndpoints.map((name) => `${docs}endpoints/${name}/`)])
  // Pages that a form or a wrong address leads to.
  const unlinked = ['search/?q=account', 'search/?q=', 'how-to/nope/'].map((path) => docs + path)
  const pages = await walk(
    context,
    docs,
    [docs, pageOf('nope'), ...unlinked],
    (address) => !left.has(address),
  )
  for (const code of longest) t.true(pages.has(pageOf(code)), code)
  const faulty = [...pages].filter(([, faults]) => faults.length > 0)
  t.deepEqual(faulty, [])
})

/** A page of each kind. */
const kinds = [
  '',
  'docs/',
  'docs/endpoints/addTransactions/',
  'docs/errors/',
  'docs/errors/gap_in_agreement_dates/',
  'docs/reference/fields/',
  'docs/tutorials/from-a-csv-export/',
  'docs/how-to/operate/',
  'docs/interactive/',
  'docs/search/?q=account',
]

test('a page of each kind meets policy and accessibility on a desktop, and the first page on a phone too, in light and dark colours', async (t) => {
  const { context, address } = await demo(t)
  const look = await looker(context, new Set(), 1280)
  for (const path of kinds) t.deepEqual((await look(`${address}/${path}`)).faults, [], path)
  const lookOnPhone = await looker(context)
  t.deepEqual((await lookOnPhone(`${address}/`)).faults, [])
})

test('results of the search appear while a query is typed, and the keyboard reaches them', async (t) => {
  const { context, address } = await demo(t)
  const page = await context.newPage()
  await page.goto(`${address}/docs/how-to/operate/`)
  await page.keyboard.press('/')
  await page.keyboard.type('gap_in_agr')
  const first = page.locator('.suggested a').first()
  await first.waitFor()
  t.is(await first.textContent(), 'gap_in_agreement_dates')
  await page.keyboard.press('Escape')
  t.is(await page.locator('.suggested').isVisible(), false)
  // Escape empties the field too.
  await page.keyboard.type('gap_in_agr')
  await first.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/errors/gap_in_agreement_dates/')
  t.is(await page.locator('h1').textContent(), 'gap_in_agreement_dates')
})

test('an example is shown in the chosen language, by keyboard too, and on the next page again', async (t) => {
  const { context, address } = await demo(t)
  const page = await context.newPage()
  const shown = async (): Promise<readonly string[]> => {
    const blocks = page.locator('.tabs .code')
    const texts = await blocks.evaluateAll((all) =>
      all.flatMap((each) => (each.checkVisibility() ? [each.className] : [])),
    )
    return texts
  }
  await page.goto(`${address}/docs/endpoints/access/`)
  t.deepEqual(await shown(), ['code sh'])
  await page.getByLabel('curl').focus()
  await page.keyboard.press('ArrowRight')
  t.deepEqual(await shown(), ['code ts'])
  await page.goto(`${address}/docs/endpoints/addNotes/`)
  t.deepEqual(await shown(), ['code ts'])
})

const planted = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="script-src 'none'"><title>Planted</title>
<style>a:focus-visible { outline: none } p { color: #999; background: #aaa }</style>
<p>grey</p><a href="#">no focus</a><pre>${'wide '.repeat(200)}</pre><script>nothing()</script></html>`

test('the check of pages finds a refused script, grey on grey, a text that is too wide and a hidden focus', async (t) => {
  const { put } = await offline(t)
  const look = await looker(await openBrowser(t))
  const { faults } = await look(pathToFileURL(await put('planted.html', planted)).href)
  for (const fault of [
    /script-src.* refused inline/,
    /^light: color-contrast: /,
    /^dark: color-contrast: /,
    /pixels wide/,
    /no visible focus on A/,
  ])
    t.true(
      faults.some((each) => fault.test(each)),
      `${String(fault)}: ${faults.join('\n')}`,
    )
})

test('the report of an offline check works with few codes and with many', async (t) => {
  const { put, summary, path } = await offline(t)
  const look = await looker(await openBrowser(t))
  const wrong = (field: string) => account('D', { customers: [{ [field]: 1 }], colour: 1 })
  const files = {
    'clean.ndjson': [account('A')],
    'wrong.ndjson': [account('A'), invalidAccount('B'), wrong('email'), wrong('mobile'), wrong('email')],
  }
  for (const [name, accounts] of Object.entries(files)) {
    const file = await put(name, accounts.map((each) => JSON.stringify(each)).join('\n'))
    await summary([file, '--report', path('r.html')], name === 'clean.ndjson' ? 0 : 1)
    const { faults } = await look(pathToFileURL(path('r.html')).href)
    t.deepEqual(faults, [], name)
  }
})

/** The client as a platform bundles it for its pages. */
const clientBundle = async (): Promise<string> => {
  const bundle = await rolldown({
    input: join(root, 'packages/client/dist/index.js'),
    platform: 'browser',
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  return output[0].code
}

/** The origin of a platform whose one page has the client. */
const platform = async (t: ExecutionContext, client: string): Promise<string> => {
  const port = await listen(t, ({ url }, response) => {
    const isClient = url === '/client.js'
    response.setHeader('Content-Type', isClient ? 'text/javascript' : 'text/html')
    response.end(isClient ? client : '<!doctype html><html lang="en"><title>A platform</title></html>')
  })
  return `http://127.0.0.1:${port}`
}

/** The code that runs in the page, as text: its token is obtained along the way. */
const calls = (given: Readonly<Record<string, unknown>>): string => `(async () => {
  const { baseUrl, apiKey, account, accounts } = ${JSON.stringify(given)}
  const { createClient } = await import('/client.js')
  const client = createClient({ baseUrl, apiKey })
  const validated = await client.validateAccount(account)
  const staged = []
  for await (const { outcome, status } of client.bulkStage(accounts, { retrySeconds: 1 })) staged.push([outcome, status ?? null])
  return { validated: [validated.ok, validated.ok ? validated.status : validated.code], staged }
})()`

test('the client validates and stages in bulk from a page of another origin when CORS_ORIGINS lists it', async (t) => {
  const client = await clientBundle()
  const [listed, other] = await Promise.all([platform(t, client), platform(t, client)])
  const { context, address, apiKey } = await demo(t, { CORS_ORIGINS: listed })
  const first = gasAccount('LEVANTE', 'B-1')
  const accounts = [first, gasAccount('LEVANTE', 'B-2'), {}]
  const inPage = async (origin: string): Promise<unknown> => {
    const page = await context.newPage()
    await page.goto(origin)
    return page.evaluate(calls({ baseUrl: address, apiKey, account: first, accounts }))
  }
  t.deepEqual(await inPage(listed), {
    validated: [true, 200],
    staged: [
      ['done', 201],
      ['done', 201],
      ['failed', 400],
    ],
  })
  t.deepEqual(await inPage(other), {
    validated: [false, 'network'],
    staged: [['stopped', null]],
  })
})

/** The colour of the text of an element, and of the nearest ground behind it that has one. */
const coloursOf = (selector: string): string => `(() => {
  const text = document.querySelector(${JSON.stringify(selector)})
  let ground = text
  while (/, 0\\)$/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement
  return [getComputedStyle(text).color, getComputedStyle(ground).backgroundColor]
})()`

test('the interactive reference exchanges a key for a token, and shows request and response in readable colours', async (t) => {
  const { context, address, apiKey } = await demo(t)
  const page = await context.newPage()
  await page.goto(`${address}/docs/interactive/#/State/accountImportSummary`)
  const key = page.locator('#key')
  await key.locator('input').fill('aik_wrong')
  await key.locator('button').click()
  await key.getByText('does not accept this key').waitFor()
  await key.locator('input').fill(apiKey)
  await key.locator('button').click()
  await key.getByText('have a token now').waitFor()
  const operation = page.locator('#operations-State-accountImportSummary')
  await operation.locator('.try-out__btn').click()
  await operation.locator('input[placeholder="import_supplier_code"]').fill('LEVANTE')
  await operation.locator('.execute').click()
  const answer = operation.locator('.live-responses-table .response').first()
  await answer.waitFor()
  t.regex((await answer.textContent()) ?? '', /^200/)
  for (const mode of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: mode })
    for (const box of ['.curl code span', '.live-responses-table .highlight-code code span']) {
      const [text, ground] = await page.evaluate<string[]>(coloursOf(box))
      t.not(text, ground)
      t.regex(ground ?? '', /^rgb\((\d{1,2}), (\d{1,2}), (\d{1,2})\)$/, `${mode} ${box}: a dark box`)
    }
  }
})

test('the interactive reference sends a bare token and shows the response', async (t) => {
  const { context, address, apiKey } = await demo(t)
  const token = await tokenOf(rawApi(address), apiKey)
  const page = await context.newPage()
  const asked: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/v1/')) asked.push(request.headers()['authorization'])
  })
  await page.goto(`${address}/docs/interactive/#/State/accountImportSummary`)
  await page.locator('.btn.authorize').click()
  await page.locator('.auth-container input').fill(token)
  await page.locator('.auth-btn-wrapper .authorize').click()
  await page.locator('.auth-btn-wrapper .btn-done').click()
  const operation = page.locator('#operations-State-accountImportSummary')
  await operation.locator('.try-out__btn').click()
  await operation.locator('input[placeholder="import_supplier_code"]').fill('LEVANTE')
  await operation.locator('.execute').click()
  const answer = operation.locator('.live-responses-table .response').first()
  await answer.waitFor()
  t.regex((await answer.textContent()) ?? '', /^200.*"import_supplier_code"|^200/s)
  t.deepEqual(asked, [`Token ${token}`])
})
