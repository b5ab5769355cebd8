import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { thirdParty } from './third-party.js'

/** Evaluated by the debugger: an element that loads it would be refused by the policy of the page. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const grave = new Set<unknown>(['serious', 'critical'])

/** Whether markup that is not ours is known to break this rule there. */
const isKnown = async (page: Page, rule: string, target: string): Promise<boolean> => {
  const below = thirdParty
    .filter(({ rules }) => rules.some((known) => known === rule))
    .map((known) => known.below)
  if (below.length === 0) return false
  const inside = `document.querySelector(${JSON.stringify(target)})?.closest('${below.join()}') != null`
  return page.evaluate<boolean>(inside)
}

const run = async (page: Page, options: RunOptions): Promise<readonly string[]> => {
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  const found: string[] = []
  for (const { id, impact, nodes } of violations)
    for (const { target, html } of nodes)
      if (grave.has(impact) && !(await isKnown(page, id, String(target[0]))))
        found.push(`${id}: ${html.slice(0, 200)}`)
  return found
}

/** What WCAG 2.2 asks for at the levels A and AA. */
const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds serious or worse: in light colours all of the standard, in dark ones contrast. */
export const inaccessible = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await run(page, { resultTypes: ['violations'], runOnly: standard })
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await run(page, { resultTypes: ['violations'], runOnly: ['color-contrast'] })
  return [...light, ...dark.map((fault) => `in the dark, ${fault}`)]
}
