import { chromium, type BrowserContext } from 'playwright-core'
import { chromiumProgram } from '@account-import/test/servers'
import type { ExecutionContext } from 'ava'

/** Nothing of its own is asked for over the network, and nothing runs besides. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser that ends with the test. */
export const openBrowser = async (t: ExecutionContext): Promise<BrowserContext> => {
  const program = chromiumProgram()
  if (program === undefined) throw new Error('Chromium is not installed')
  // Chromium's sandbox wants another user than root.
  const args = process.getuid?.() === 0 ? [...quiet, '--no-sandbox'] : quiet
  const browser = await chromium.launch({ executablePath: program, args })
  t.teardown(() => browser.close())
  return browser.newContext()
}
