// Makes what the service shows at /docs/ besides what it writes itself: the pages of docs/ as HTML, what can be found in
// them, and Swagger UI as it was published. It lies in the package that serves it. With --check nothing is written, and
// what is not as it would be written is an error.
import { interactiveFiles } from './docs-site/interactive.mjs'
import { pageFiles } from './docs-site/pages.mjs'
import { differences, writeFolder } from './write-folder.mjs'

const site = 'packages/adapter-http-koa/dist/site'
const wanted = new Map([...pageFiles(), ...interactiveFiles()])

if (process.argv.includes('--check')) {
  for (const path of differences(site, wanted)) {
    console.error(`${path} is not what would be written. Run: npm run setup`)
    process.exitCode = 1
  }
} else writeFolder(site, wanted)
