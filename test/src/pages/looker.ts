import { chromiumProgram } from '../servers/index.js'
import test, { type ExecutionContext } from 'ava'
import type { AxeResults, RunOptions } from 'axe-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

/** The browser loads and runs nothing of its own. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const launch = (): Promise<Browser> => {
  const program = chromiumProgram()
  if (program === undefined) throw new Error('Chromium is not installed')
  // Chromium's sandbox wants another user than root.
  const args = process.getuid?.() === 0 ? [...quiet, '--no-sandbox'] : quiet
  return chromium.launch({ executablePath: program, args })
}

let browser: Promise<Browser> | undefined
test.after.always('end the browser', async () => (await browser)?.close())

/** The browser of the test file, with nothing that other tests have left in it. */
export const openBrowser = async (t: ExecutionContext): Promise<BrowserContext> => {
  const context = await (await (browser ??= launch())).newContext()
  // Pages of all tests share one browser, which has other work too.
  context.setDefaultTimeout(120_000)
  // Scripts inside a page have no time limit of their own: a page that hangs fails the test, which then runs once more alone.
  t.timeout(400_000)
  t.teardown(() => context.close())
  return context
}

// Code that runs inside a page is text here: it is for browsers, and this folder is compiled for Node.js.

/** Runs before everything of the page: records the refusals of its policy. */
const keepViolations = `
  window.refused = []
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    window.refused.push(effectiveDirective + ' refused ' + blockedURI))
`

const unfold = `for (const each of document.querySelectorAll('details')) each.open = true`

/** Whether the page can be scrolled sideways, and the text or element that reaches furthest to the right. */
const tooWide = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const nodes = document.createTreeWalker(document.body)
  let furthest = { right: 0 }
  while (nodes.nextNode()) {
    const range = document.createRange()
    range.selectNode(nodes.currentNode)
    const { right } = range.getBoundingClientRect()
    if (right >= furthest.right) furthest = { right, text: nodes.currentNode.textContent }
  }
  return [scrollWidth + ' pixels wide in a window of ' + clientWidth + ': ' + furthest.text?.trim().slice(0, 120)]
})()`

/** Numbers and the menu of the console, where they are seen only after scrolling sideways. */
const offScreen = `[...document.querySelectorAll('body:has(nav[aria-label="Console"]) :is(.num, nav a)')]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > document.documentElement.clientWidth)
  .map(({ textContent }) => 'off screen: ' + textContent.trim().slice(0, 40))`

/** Kinds of elements that the keyboard reaches and that look no different then. A key has to have been pressed before. */
const unseenFocus = `(() => {
  const kinds = new Map()
  for (const each of document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]'))
    if (each.checkVisibility()) kinds.set(each.tagName + ' ' + each.className, each)
  const look = (each) => {
    const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor } = getComputedStyle(each)
    return [outlineStyle, outlineStyle === 'none' ? '' : outlineWidth, boxShadow, borderColor, backgroundColor].join()
  }
  return [...kinds].filter(([, each]) => {
    each.blur()
    const before = look(each)
    each.focus()
    return document.activeElement === each && look(each) === before
  }).map(([kind]) => 'no visible focus on ' + kind)
})()`

const links = `[...document.querySelectorAll('a[href]')].map(({ href }) => href)`

/** Which kinds of elements stand in which: the same for pages that one template makes of other texts. */
const makeOf = `(() => {
  const kind = (each) => each === null ? '' : each.tagName + '.' + each.className + '[' + each.getAttributeNames() + ']'
  return [...new Set([...document.querySelectorAll('*')].map((each) => kind(each.parentElement) + '>' + kind(each)))]
    .sort().join()
})()`

/** Evaluated by the debugger: an element that loads it would be refused by the policy of the page. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const run = async (page: Page, options: RunOptions): Promise<readonly string[]> => {
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

/** The rules of WCAG 2.2 at the levels A and AA. */
const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The findings of axe: in light colours all of the standard, in dark ones contrast, as nothing else depends on colours. */
export const inaccessible = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await run(page, { resultTypes: ['violations'], runOnly: standard })
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await run(page, { resultTypes: ['violations'], runOnly: ['color-contrast'] })
  return [...light.map((fault) => `light: ${fault}`), ...dark.map((fault) => `dark: ${fault}`)]
}

/** Opens the address and returns refusals of its policy, findings of axe, overflow on a phone, and hidden focus. */
export type Look = (
  address: string,
) => Promise<Readonly<{ faults: readonly string[]; links: readonly string[] }>>

/**
 * A page of the browser, the size of a phone unless it is wider. `known`: the structures of pages that axe has examined, which
 * are not examined again with other texts.
 */
export const looker = async (
  context: BrowserContext,
  known = new Set<string>(),
  width = 400,
): Promise<Look> => {
  const page = await context.newPage()
  await page.setViewportSize({ width, height: 800 })
  await page.addInitScript(keepViolations)
  let said: string[] = []
  page.on('console', (message) => {
    // A page with status 404 is reported there too, and is no fault.
    if (message.type() === 'error' && message.location().url !== page.url()) said.push(message.text())
  })
  page.on('pageerror', (error) => said.push(error.message))
  return async (address) => {
    said = []
    const response = await page.goto(address, { waitUntil: 'load' })
    const type = response?.headers()['content-type'] ?? 'text/html'
    if (!type.startsWith('text/html')) return { faults: [], links: [] }
    // Where a script makes the page, it is looked at when its operations are there.
    if ((await page.locator('#swagger-ui').count()) > 0) await page.locator('.opblock').first().waitFor()
    const found = await page.evaluate<string[]>(links)
    await page.evaluate(unfold)
    const faults = [
      ...(await page.evaluate<string[]>(tooWide)),
      ...(await page.evaluate<string[]>(offScreen)),
    ]
    const make = await page.evaluate<string>(makeOf)
    if (!known.has(make)) {
      known.add(make)
      faults.push(...(await inaccessible(page)))
    }
    await page.keyboard.press('Tab')
    faults.push(...(await page.evaluate<string[]>(unseenFocus)))
    faults.push(...(await page.evaluate<string[]>('window.refused')))
    return { faults: [...faults, ...said], links: found }
  }
}
