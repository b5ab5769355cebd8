import type { BrowserContext, Page } from 'playwright-core'
import { inaccessible } from './accessibility.js'
import { keepViolations, links, makeOf, tooWide, unfold, unseenFocus, violations } from './in-page.js'

const phone = { width: 400, height: 800 }

/** What is wrong with a page, and where it leads. */
export type Looked = Readonly<{ faults: readonly string[]; links: readonly string[] }>

/** A page of the browser, to be used for one address after the other. */
export class Looker {
  private readonly page: Page
  private readonly known: Set<string>
  private said: string[] = []

  private constructor(page: Page, known: Set<string>) {
    this.page = page
    this.known = known
    page.on('console', (message) => {
      // That the page itself is answered with 404 is said there too, and is no fault of it.
      if (message.type() === 'error' && message.location().url !== page.url()) this.said.push(message.text())
    })
    page.on('pageerror', (error) => this.said.push(error.message))
  }

  /** `known`: the makes of pages that axe has seen, which it need not see again with other texts. */
  static async open(context: BrowserContext, known = new Set<string>()): Promise<Looker> {
    const page = await context.newPage()
    await page.setViewportSize(phone)
    await page.addInitScript(keepViolations)
    return new Looker(page, known)
  }

  /** Opens the address and looks for what its policy refuses, what axe finds, what a phone cannot show, and unseen focus. */
  async look(address: string): Promise<Looked> {
    this.said = []
    const { page } = this
    const response = await page.goto(address, { waitUntil: 'load' })
    const type = response?.headers()['content-type'] ?? 'text/html'
    if (!type.startsWith('text/html')) return { faults: [], links: [] }
    // Where a script makes the page, it is looked at when its operations are there.
    if ((await page.locator('#swagger-ui').count()) > 0) await page.locator('.opblock').first().waitFor()
    const found = await page.evaluate<string[]>(links)
    await page.evaluate(unfold)
    const faults = [...(await page.evaluate<string[]>(tooWide))]
    const make = await page.evaluate<string>(makeOf)
    if (!this.known.has(make)) {
      this.known.add(make)
      faults.push(...(await inaccessible(page)))
    }
    await page.keyboard.press('Tab')
    faults.push(
      ...(await page.evaluate<string[]>(unseenFocus)),
      ...(await page.evaluate<string[]>(violations)),
    )
    return { faults: [...faults, ...this.said], links: found }
  }
}
