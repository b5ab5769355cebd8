// Makes the files that the service shows at /docs/ besides its own pages: the pages of docs/ as HTML, their text for the search,
// the guides to codes, and Swagger UI as it was published. They lie in the package that serves them; the command `explain` reads
// the guides there too. With --check nothing is written, and a file that would be written otherwise is an error.
import { guides } from './docs-site/guides.mjs'
import { interactiveFiles } from './docs-site/interactive.mjs'
import { pageFiles } from './docs-site/pages.mjs'
import { differences, writeFolder } from './write-folder.mjs'

const site = 'packages/adapter-http-koa/dist/site'
const wanted = new Map([...pageFiles(), ...interactiveFiles(), ['guides.json', JSON.stringify(guides())]])

if (process.argv.includes('--check')) {
  for (const path of differences(site, wanted)) {
    console.error(`${path} is not what would be written. Run: npm run setup`)
    process.exitCode = 1
  }
} else writeFolder(site, wanted)
