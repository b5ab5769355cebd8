// Makes what the service shows at /docs/ besides what it writes itself: the pages of docs/ as HTML, what can be found in
// them, and Swagger UI as it was published. It lies in the package that serves it. With --check nothing is written, and
// what is not as it would be written is an error.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { sep } from 'node:path'
import { interactiveFiles } from './docs-site/interactive.mjs'
import { pageFiles } from './docs-site/pages.mjs'

const site = new URL('../packages/adapter-http-koa/dist/site/', import.meta.url)
const wanted = new Map([...pageFiles(), ...interactiveFiles()])

mkdirSync(site, { recursive: true })
const there = readdirSync(site, { recursive: true })
  .map((path) => path.replaceAll(sep, '/'))
  .filter((path) => statSync(new URL(path, site)).isFile())
const isThere = new Set(there)
const isAsWanted = ([path, content]) =>
  isThere.has(path) && Buffer.from(content).equals(readFileSync(new URL(path, site)))

const changed = [...wanted].filter((file) => !isAsWanted(file))
const surplus = there.filter((path) => !wanted.has(path))
if (process.argv.includes('--check')) {
  for (const path of [...changed.map(([each]) => each), ...surplus]) {
    console.error(`${path} is not what would be written. Run: npm run setup`)
    process.exitCode = 1
  }
} else {
  // What stays the same is not touched: a server may be reading it.
  for (const [path, content] of changed) {
    mkdirSync(new URL('.', new URL(path, site)), { recursive: true })
    writeFileSync(new URL(path, site), content)
  }
  for (const path of surplus) rmSync(new URL(path, site))
}
