import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { openBrowser } from './open-browser.js'

test('who types a bare token into the interactive reference asks with it, and sees the answer', async (t) => {
  const dataDir = await tempFolder(t)
  const [context, { address }] = await Promise.all([
    openBrowser(t),
    serveProcess(t, { DATA_DIR: dataDir }, ['--demo']),
  ])
  const apiKey = (await readFile(join(dataDir, 'demo-api-key'), 'utf8')).trim()
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
