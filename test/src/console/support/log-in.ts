import type { BrowserContext, Page } from 'playwright-core'

/** Sends the form of the login. */
export const logIn = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** A page that was opened by a login; `ready` is a selector of an element that it then has. */
export const loggedIn = async (
  context: BrowserContext,
  address: string,
  key: string,
  ready = 'text=Log out',
): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(address)
  await logIn(page, key)
  await page.locator(ready).waitFor()
  return page
}
