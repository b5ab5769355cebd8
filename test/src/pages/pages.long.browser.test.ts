import { pathToFileURL } from 'node:url'
import test from 'ava'
import type { BrowserContext } from 'playwright-core'
import { published } from '../support/published.js'
import { account, invalidAccount } from '../offline/support/accounts.js'
import { offline } from '../offline/support/offline.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { Looker } from './faults-of.js'
import { openBrowser } from './open-browser.js'

/** Tabs that look at the same time. */
const tabs = 3

/** What is wrong with each page that can be reached from the first ones, within the same folder. */
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
    const looker = await Looker.open(context, makes)
    for (;;) {
      const address = waiting.shift()
      if (address === undefined) {
        if (looking === 0) return
        await new Promise((resolve) => setTimeout(resolve, 10))
        continue
      }
      looking += 1
      const { faults, links } = await looker.look(address)
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

// The pages of codes are made by one template: those with the longest names stand for all.
test('every page of a service works: policy, accessibility, phones, keyboard', async (t) => {
  const [context, { address }] = await Promise.all([
    openBrowser(t),
    serveProcess(t, { DATA_DIR: await tempFolder(t) }),
  ])
  const docs = `${address}/docs/`
  const longest = [...published.keys()].toSorted((one, other) => other.length - one.length).slice(0, 10)
  const pageOf = (code: string): string => `${docs}errors/${code}/`
  const left = new Set([...published.keys()].filter((code) => !longest.includes(code)).map(pageOf))
  // What a form or a wrong address leads to.
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

const planted = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="script-src 'none'"><title>Planted</title>
<style>a:focus-visible { outline: none } p { color: #999; background: #aaa }</style>
<p>grey</p><a href="#">no focus</a><pre>${'wide '.repeat(200)}</pre><script>nothing()</script></html>`

test('what is planted is found: a refused script, grey on grey, a text too wide, unseen focus', async (t) => {
  const { put } = await offline(t)
  const looker = await Looker.open(await openBrowser(t))
  const { faults } = await looker.look(pathToFileURL(await put('planted.html', planted)).href)
  for (const fault of [
    /script-src.* refused inline/,
    /^color-contrast: /,
    /pixels wide/,
    /no visible focus on A/,
  ])
    t.true(
      faults.some((each) => fault.test(each)),
      `${String(fault)}: ${faults.join('\n')}`,
    )
})

test('the report of an offline check works, with few codes and with many', async (t) => {
  const { put, summary, path } = await offline(t)
  const context = await openBrowser(t)
  const looker = await Looker.open(context)
  const wrong = (field: string) => account('D', { customers: [{ [field]: 1 }], colour: 1 })
  const files = {
    'clean.ndjson': [account('A')],
    'wrong.ndjson': [account('A'), invalidAccount('B'), wrong('email'), wrong('mobile'), wrong('email')],
  }
  for (const [name, accounts] of Object.entries(files)) {
    const file = await put(name, accounts.map((each) => JSON.stringify(each)).join('\n'))
    await summary([file, '--report', path('r.html')], name === 'clean.ndjson' ? 0 : 1)
    const { faults } = await looker.look(pathToFileURL(path('r.html')).href)
    t.deepEqual(faults, [], name)
  }
})
