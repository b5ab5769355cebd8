// Makes the picture of the README, an import in a terminal beside the page of its run in light and dark colours, and those of the
// console for its how-to.
//   node test/dist/pages/main.js [FOLDER]     the folder in the service with the list of runs; default: console/runs/
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { escapeHtml, lookStyles } from '@account-import/core/html'
import { type Browser, chromium } from 'playwright-core'
import { chromiumProgram, runCommand } from '../servers/index.js'
import { cli } from '../support/cli-process.js'
import { root } from '../support/repository.js'
import { beginServing } from '../support/server-process.js'

const [folder = 'console/runs/'] = process.argv.slice(2)

/** The accounts of `npm run demo`, fewer of them, and the name of their file. */
const fileName = 'accounts.ndjson'
const accounts = '--count 400 --invalid-share 0.008 --seed picture --supplier LEVANTE --out'.split(' ')

/** Lines and columns of the terminal. */
const size = { lines: 28, columns: 72 }

const shown = (text: string): string => {
  const lines = text.split('\n').filter((line) => !/^(?:0\.0%|Meaning and remedy|Import run of)/.test(line))
  return lines
    .filter((line, at) => line !== '' || lines[at - 1] !== '')
    .slice(0, size.lines)
    .map((line) => (line.length > size.columns ? `${line.slice(0, size.columns - 1)}…` : line))
    .join('\n')
}

const styles = `${lookStyles}
body{width:1200px;padding:1.25rem;background:var(--box)}
main{display:grid;grid-template-columns:34rem 1fr;gap:1.25rem;height:36rem}
section{border:1px solid var(--line);border-radius:.6rem;background:var(--page);overflow:hidden}
pre{margin:0;padding:1rem 1.1rem;font-size:.75rem;line-height:1.55}
img{width:100%}`

const composed = (terminal: string, page: Buffer): string =>
  `<!doctype html><meta charset="utf-8"><style>${styles}</style><body><main>
<section><pre>${escapeHtml(terminal)}</pre></section>
<section><img src="data:image/png;base64,${page.toString('base64')}"></section></main>`

type Imported = Readonly<{ address: string; apiKey: string; terminal: string }>

const picture = async (
  browser: Browser,
  colorScheme: 'light' | 'dark',
  { address, apiKey, terminal }: Imported,
): Promise<Buffer> => {
  const options = { colorScheme, deviceScaleFactor: 1.25 }
  const context = await browser.newContext({ ...options, viewport: { width: 780, height: 746 } })
  const page = await context.newPage()
  await page.goto(`${address}/${folder}`)
  await page.getByLabel('API key').fill(apiKey)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('link', { name: fileName }).click()
  await page.getByText('finished').first().waitFor()
  const whole = await browser.newPage({ ...options, viewport: { width: 1200, height: 616 } })
  await whole.setContent(composed(terminal, await page.screenshot()))
  const bytes = await whole.screenshot()
  await context.close()
  await whole.close()
  return bytes
}

/** The overview, and the page that checked the file, as PNG by name. */
const consolePictures = async (
  browser: Browser,
  { address, apiKey }: Imported,
  file: string,
): Promise<ReadonlyMap<string, Buffer>> => {
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, colorScheme: 'light' })
  await page.goto(`${address}/console/`)
  await page.getByLabel('API key').fill(apiKey)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'LEVANTE' }).scrollIntoViewIfNeeded()
  const overview = await page.screenshot()
  await page.getByRole('link', { name: 'Check a file' }).click()
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: /^Import \d/ }).waitFor()
  const check = await page.screenshot()
  await page.close()
  return new Map([
    ['console-overview', overview],
    ['console-check', check],
  ])
}

const program = chromiumProgram()
if (program === undefined) throw new Error('Chromium is not installed')
const dataDir = await mkdtemp(join(tmpdir(), 'picture-'))
const { child, ended, announced } = beginServing(['--demo'], {
  DATA_DIR: dataDir,
  CONSOLE: 'on',
  LOG_LEVEL: 'warn',
})
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const { address } = await announced
  const [keyFile, file] = [join(dataDir, 'demo-api-key'), join(dataDir, fileName)]
  await runCommand(process.execPath, [
    join(root, 'examples/generate-accounts/dist/main.js'),
    ...accounts,
    file,
  ])
  const service = ['--url', String(address), '--api-key-file', keyFile, '--team', 'Demo team']
  const { code, stdout, stderr } = await cli(['import', file, ...service], {})
  if (code !== 1) throw new Error(`the import ended with ${code}: ${stderr}`)
  const proof = await cli(['reconcile', file, '--supplier', 'LEVANTE', ...service.slice(0, -2)], {})
  // 1: the refused accounts are missing.
  if (proof.code !== 1) throw new Error(`the proof ended with ${proof.code}: ${proof.stderr}`)
  const terminal = shown(`$ account-import import ${fileName}
${stderr}${stdout.trim()}

$ account-import reconcile ${fileName} --supplier LEVANTE
${proof.stderr}${proof.stdout}`)
  const apiKey = (await readFile(keyFile, 'utf8')).trim()
  const imported = { address: String(address), apiKey, terminal }
  const pictures = new Map(await consolePictures(browser, imported, file))
  for (const scheme of ['light', 'dark'] as const) {
    pictures.set(`import-${scheme}`, await picture(browser, scheme, imported))
  }
  for (const [name, bytes] of pictures) {
    await writeFile(join(root, `docs/pictures/${name}.png`), bytes)
    console.log(`docs/pictures/${name}.png: ${bytes.length} bytes`)
  }
} finally {
  await browser.close()
  child.kill('SIGTERM')
  await ended
  await rm(dataDir, { recursive: true })
}
