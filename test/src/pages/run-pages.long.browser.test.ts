import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { BrowserContext, Page } from 'playwright-core'
import { refusing, runPages } from '../http/support/run-pages.js'
import { cli } from '../support/cli-process.js'
import { gasAccount } from '../support/samples.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { right } from '../use-cases/support/service.js'
import { looker, openBrowser } from './looker.js'

/** A service with a run that has some of everything, and a browser. */
const started = async (t: ExecutionContext) => {
  const [context, pages] = await Promise.all([openBrowser(t), runPages(t)])
  const { baseUrl, keyOf, open, stage } = pages
  const id = await open({ label: 'Rehearsal', source: { name: 'a.ndjson', sha256: 'ab'.repeat(32) } })
  for (let line = 1; line <= 60; line += 1)
    await stage(id, `A-${line}`, line, line % 10 === 0 ? {} : { ...refusing, colour: 1 })
  const runs = `${baseUrl}/runs/`
  return { ...pages, context, id, runs, run: `${runs}${id}/`, key: await keyOf(['read']) }
}

const logIn = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Log in' }).click()
}

const loggedIn = async (context: BrowserContext, address: string, key: string): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(address)
  await logIn(page, key)
  return page
}

const heading = (page: Page): Promise<string | null> => page.locator('h1').textContent()

/** Whether the page shows the text within the time. */
const says = async (page: Page, text: string): Promise<void> =>
  page.locator('main').getByText(text).first().waitFor({ timeout: 20_000 })

test('list, run, login and refusals meet policy, accessibility and width on phone and desktop, and work by keyboard', async (t) => {
  const { context, runs, run, key, open } = await started(t)
  await open({ label: `<b>${'long'.repeat(60)}` })
  const addresses = [runs, run, `${runs}nothing/`]
  for (const width of [400, 1280]) {
    await context.clearCookies()
    const look = await looker(context, new Set(), width)
    for (const address of addresses)
      t.deepEqual((await look(address)).faults, [], `${width} login ${address}`)
    await (await loggedIn(context, runs, key)).close()
    for (const address of addresses) {
      const { faults, links } = await look(address)
      t.deepEqual(faults, [], `${width} ${address}`)
      t.true(links.length > 1)
    }
  }
})

test('login leads to the requested page until logout, and scripts cannot read the cookie', async (t) => {
  const { context, runs, run, key } = await started(t)
  const page = await loggedIn(context, run, 'wrong')
  t.is(await heading(page), 'Log in')
  await says(page, 'authentication_failed')
  await logIn(page, key)
  t.is(page.url(), run)
  t.is(await heading(page), 'Rehearsal')
  const [cookie, ...others] = await context.cookies()
  t.like(cookie, {
    name: '__Host-account-import',
    httpOnly: true,
    secure: true,
    sameSite: 'Strict',
    path: '/',
  })
  t.deepEqual(others, [])
  t.is(await page.evaluate('document.cookie'), '')
  await page.getByRole('link', { name: 'Import runs' }).click()
  t.is(page.url(), runs)
  await page.getByRole('button', { name: 'Log out' }).click()
  t.is(await heading(page), 'Log in')
  t.is(page.url(), runs)
  t.deepEqual(await context.cookies(), [])
})

test('a run page updates without a reload until the run is finished, and keeps the focus', async (t) => {
  const { context, run, key, id, stage, useCases, baseUrl } = await started(t)
  const page = await loggedIn(context, run, key)
  await page.evaluate('window.isSame = true')
  await page.locator('#failures a').first().focus()
  await stage(id, 'B-1', 61)
  await says(page, 'running 7 staged, 0 created, 54 refused')
  t.true(await page.evaluate(`document.activeElement.closest('#failures') !== null`))
  await page.evaluate('document.activeElement.blur()')
  await stage(id, '<i>B-2', 62, { customers: 'nobody' })
  await says(page, 'running 7 staged, 0 created, 55 refused')
  await page.getByRole('button', { name: 'Stop updating' }).click()
  await right(useCases.finishImportRun({ organisation: 'ACME', id }))
  await page.getByRole('button', { name: 'Update again' }).click()
  await says(page, 'finished 7 staged')
  t.is(await page.getByRole('button', { name: /updat/i }).count(), 0)
  t.true(await page.evaluate('window.isSame'))
  t.is(await page.locator('i').count(), 0)
  t.true(page.url().startsWith(baseUrl))
})

test('a page whose login has ended shows the login', async (t) => {
  const { context, run, key, clock } = await started(t)
  const page = await loggedIn(context, run, key)
  await says(page, 'running 6 staged')
  clock.pass(3601)
  await page.getByLabel('API key').waitFor({ timeout: 20_000 })
  await says(page, 'token_expired')
  await logIn(page, key)
  t.is(await heading(page), 'Rehearsal')
})

test('a page shows that its service is unavailable, and continues when it is back', async (t) => {
  const { context, run, key } = await started(t)
  const page = await loggedIn(context, run, key)
  await context.setOffline(true)
  await says(page, 'The service does not answer now.')
  await context.setOffline(false)
  await says(page, 'running 6 staged')
  t.pass()
})

test('login, list, run, next page and refresh work without JavaScript', async (t) => {
  const { context, run, runs, key, id, stage } = await started(t)
  const silent = await context.browser()?.newContext({ javaScriptEnabled: false })
  if (silent === undefined) return t.fail('no browser')
  const page = await loggedIn(silent, runs, key)
  await page.getByRole('link', { name: 'Rehearsal' }).click()
  t.is(page.url(), run)
  t.is(await page.getByRole('button', { name: /updat/i }).count(), 0)
  await page.getByRole('link', { name: 'Next page' }).click()
  t.is(await page.locator('#failures tbody tr').count(), 4)
  await page.getByRole('link', { name: 'First page' }).click()
  await stage(id, 'B-1', 61)
  await says(page, 'running 7 staged')
})

test('a label with markup is shown as text, in the title too', async (t) => {
  const { context, runs, open, key } = await started(t)
  const label = `</title><img src=x onerror="document.title='run'">`
  const id = await open({ label })
  const page = await loggedIn(context, `${runs}${id}/`, key)
  t.is(await heading(page), label)
  t.is(await page.locator('img').count(), 0)
  t.true((await page.title()).startsWith(label))
})

test('an import by the command line appears in the list and is shown with its result, on the bundled server', async (t) => {
  const folder = await tempFolder(t)
  const settings = { DATA_DIR: folder, RUN_PAGES: 'on', BASE_PATH: '/imports' }
  const [context, { address }] = await Promise.all([openBrowser(t), serveProcess(t, settings, ['--demo'])])
  const keyFile = join(folder, 'demo-api-key')
  const page = await loggedIn(context, `${address}/runs/`, await readFile(keyFile, 'utf8'))
  await says(page, 'There is no run here.')
  const file = join(folder, 'pilot.ndjson')
  const accounts = [gasAccount('LEVANTE', 'P-1'), { ...gasAccount('LEVANTE', 'P-2'), customers: 'nobody' }]
  await writeFile(file, accounts.map((account) => JSON.stringify(account)).join('\n'))
  const about = ['--url', address, '--api-key-file', keyFile, '--team', 'Demo team']
  const { code, stderr } = await cli(['import', file, ...about], {})
  t.is(code, 1, stderr)
  await page.getByRole('link', { name: 'pilot.ndjson' }).click({ timeout: 20_000 })
  await says(page, 'finished 1 staged, 1 created, 1 refused')
  t.is(await page.locator('#failures tbody th').textContent(), 'P-2')
  await page.locator('#errors').getByRole('link', { name: 'not_a_list' }).click()
  t.is(page.url(), `${address}/docs/errors/not_a_list/`)
  t.regex((await heading(page)) ?? '', /not_a_list/)
})
