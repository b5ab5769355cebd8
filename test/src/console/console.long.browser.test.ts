import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { scopes } from '@account-import/core'
import { looker, openBrowser } from '../pages/looker.js'
import { cli } from '../support/cli-process.js'
import { gasAccount } from '../support/samples.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { organisation, right } from '../use-cases/support/service.js'
import { loggedIn, logIn } from './support/log-in.js'
import { refusing, servedConsole } from './support/served-console.js'

/** A console with a run that has some of everything, and a browser. */
const started = async (t: ExecutionContext) => {
  const [context, served] = await Promise.all([openBrowser(t), servedConsole(t)])
  const { keyOf, open, stage, create, home } = served
  const id = await open({ label: 'Rehearsal', source: { name: 'a.ndjson', sha256: 'ab'.repeat(32) } })
  for (let line = 1; line <= 60; line += 1)
    await stage(id, `A-${line}`, line, line % 10 === 0 ? {} : { ...refusing, colour: 1 })
  await create(id, 'A-10', 'A-20')
  const run = `${home}runs/${id}/`
  // Its page loads itself again every ten seconds, also while a slow machine examines it.
  const stillRun = `${run}?updates=off`
  return { ...served, context, id, run, stillRun, key: await keyOf(scopes) }
}

const heading = (page: Page): Promise<string | null> => page.locator('h1').textContent()

/** Whether the page shows the text within the time. */
const says = async (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('main').getByText(text).first().waitFor({ timeout: 30_000 })

test('every page meets policy, accessibility and width on phone and desktop, in light and dark, and shows its focus', async (t) => {
  const { context, home, run, stillRun, key, open } = await started(t)
  await open({ label: `<b>${'long'.repeat(60)}` })
  const addresses = [
    home,
    `${home}runs/`,
    stillRun,
    `${run}accounts/`,
    `${run}undo/`,
    `${home}accounts/`,
    `${home}accounts/?number=A`,
    `${home}accounts/account/?supplier=LEVANTE&number=A-10`,
    `${home}runs/nothing/`,
  ]
  for (const width of [400, 1280]) {
    await context.clearCookies()
    const look = await looker(context, new Set(), width)
    t.deepEqual((await look(home)).faults, [], `${width} login`)
    await (await loggedIn(context, home, key)).close()
    for (const address of addresses) {
      const { faults, links } = await look(address)
      t.deepEqual(faults, [], `${width} ${address}`)
      t.true(links.length > 1)
    }
  }
})

test('login leads to the requested page until logout, scripts cannot read the cookie, and a kept cookie opens nothing after it', async (t) => {
  const { context, home, stillRun, key } = await started(t)
  const page = await context.newPage()
  await page.goto(stillRun)
  await logIn(page, 'wrong')
  t.is(await heading(page), 'Log in')
  await says(page, 'authentication_failed')
  await page.goto(stillRun)
  await logIn(page, key)
  await says(page, 'running')
  t.is(page.url(), stillRun)
  t.is(await heading(page), 'Rehearsal')
  const kept = await context.cookies()
  const [cookie, ...others] = kept
  t.like(cookie, {
    name: '__Host-account-import',
    httpOnly: true,
    secure: true,
    sameSite: 'Strict',
    path: '/',
  })
  t.deepEqual(others, [])
  t.is(await page.evaluate('document.cookie'), '')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByLabel('API key').waitFor()
  t.is(page.url(), home)
  t.deepEqual(await context.cookies(), [])
  await context.addCookies(kept)
  await page.goto(stillRun)
  t.is(await heading(page), 'Log in')
})

test('a person finds a run, filters its failures and undoes it by keyboard alone', async (t) => {
  const { context, home, key, useCases, id } = await started(t)
  const page = await context.newPage()
  await page.goto(home)
  /** Presses Tab until the element with this name has the focus. */
  const reach = async (name: string): Promise<void> => {
    for (let steps = 0; steps < 80; steps += 1) {
      await page.keyboard.press('Tab')
      const text = await page.evaluate<string>(
        `(({ activeElement: a }) => a.labels?.[0]?.textContent || a.textContent || '')(document)`,
      )
      if (text.trim().startsWith(name)) return
    }
    throw new Error(`${name} was not reached`)
  }
  const follow = async (name: string): Promise<void> => {
    await reach(name)
    await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.keyboard.press('Enter')])
  }
  await reach('API key')
  await page.keyboard.type(key)
  await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.keyboard.press('Enter')])
  await follow('Runs')
  await follow('Rehearsal')
  await follow('Stop updating')
  await follow('54')
  t.regex(page.url(), /\?step=[a-z]+&code=[a-z_]+(&field=[\w%.]+)?#failures$/)
  await follow('Undo the run')
  await reach('Remove 2 accounts')
  await page.keyboard.press('Space')
  await follow('Undo 2 accounts')
  await says(page, '2 accounts undone')
  await follow('Back to the run')
  await says(page, 'The latest undo was')
  t.is((await right(useCases.findImportRun({ organisation, id }))).undone?.count, 2)
})

test('login, lists, next page, refresh and undo work without JavaScript', async (t) => {
  const { context, home, run, key, id, stage, useCases } = await started(t)
  const silent = await context.browser()?.newContext({ javaScriptEnabled: false })
  if (silent === undefined) return t.fail('no browser')
  const page = await loggedIn(silent, `${home}runs/`, key)
  await page.getByRole('link', { name: 'Rehearsal' }).click()
  await says(page, 'Refused accounts')
  t.is(page.url(), run)
  await stage(id, 'B-1', 61)
  await page.locator('.tiles').getByText('61', { exact: true }).waitFor({ timeout: 30_000 })
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByRole('link', { name: 'First page' }).waitFor()
  t.is(await page.locator('#failures tbody tr').count(), 4)
  await right(useCases.finishImportRun({ organisation, id }))
  await page.goto(`${run}undo/`)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Undo 2 accounts' }).click()
  await page.getByRole('link', { name: 'Back to the run' }).click()
  await says(page, 'undone')
  await silent.close()
})

test('of two tabs that undo one run, each tells the truth', async (t) => {
  const { context, run, key, useCases, id } = await started(t)
  const tabs = [await loggedIn(context, `${run}undo/`, key), await context.newPage()]
  await tabs[1]?.goto(`${run}undo/`)
  for (const tab of tabs) await tab.getByRole('checkbox').check()
  await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Undo 2 accounts' }).click()))
  const counts = await Promise.all(
    tabs.map(async (tab) => {
      await tab.getByRole('link', { name: 'Back to the run' }).waitFor()
      return Number(await tab.locator('.tiles dd').first().textContent())
    }),
  )
  t.is((counts[0] ?? 0) + (counts[1] ?? 0), 2)
  t.is((await right(useCases.findImportRun({ organisation, id }))).undone?.count, 2)
})

test('a label with markup is shown as text, in the title too', async (t) => {
  const { context, home, open, key } = await started(t)
  const label = `</title><img src=x onerror="document.title='run'">`
  const id = await open({ label })
  const page = await loggedIn(context, `${home}runs/${id}/?updates=off`, key)
  t.is(await heading(page), label)
  t.is(await page.locator('img').count(), 0)
  t.true((await page.title()).startsWith(label))
})

test('an import by the command line appears in the console of the bundled server, with its result', async (t) => {
  const folder = await tempFolder(t)
  const settings = { DATA_DIR: folder, CONSOLE: 'on', BASE_PATH: '/imports' }
  const [context, { address }] = await Promise.all([openBrowser(t), serveProcess(t, settings, ['--demo'])])
  const keyFile = join(folder, 'demo-api-key')
  const page = await loggedIn(context, `${address}/console/runs/`, await readFile(keyFile, 'utf8'))
  await says(page, 'There is no run yet.')
  const file = join(folder, 'pilot.ndjson')
  const accounts = [gasAccount('LEVANTE', 'P-1'), { ...gasAccount('LEVANTE', 'P-2'), customers: 'nobody' }]
  await writeFile(file, accounts.map((account) => JSON.stringify(account)).join('\n'))
  const about = ['--url', address, '--api-key-file', keyFile, '--team', 'Demo team']
  const { code, stderr } = await cli(['import', file, ...about], {})
  t.is(code, 1, stderr)
  await page.goto(`${address}/console/runs/`)
  await page.getByRole('link', { name: 'pilot.ndjson' }).click()
  await says(page, 'finished')
  t.is(await page.locator('#failures tbody th').textContent(), 'P-2')
  await page.locator('#errors').getByRole('link', { name: 'not_a_list' }).click()
  await page.waitForURL(`${address}/docs/errors/not_a_list/`)
  t.regex((await heading(page)) ?? '', /not_a_list/)
})
