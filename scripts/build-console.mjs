// Bundles the scripts of the console for browsers: each file directly in packages/console/browser/ becomes a module of its name in
// packages/console/assets/, which the console serves. They contain the core, so that a browser checks a file by the same rules.
import { readdirSync, readFileSync } from 'node:fs'
import { rolldown } from 'rolldown'
import { writeFolder } from './write-folder.mjs'

const sources = 'packages/console/browser'
const folder = 'packages/console/assets'

const { version } = JSON.parse(readFileSync('packages/console/package.json', 'utf8'))
const names = readdirSync(sources).filter((name) => name.endsWith('.ts'))
const files = new Map()
for (const name of names) {
  const bundle = await rolldown({
    input: `${sources}/${name}`,
    platform: 'browser',
    tsconfig: `${sources}/tsconfig.json`,
    transform: { define: { __VERSION__: JSON.stringify(version) } },
  })
  const { output } = await bundle.generate({ format: 'es', minify: true, codeSplitting: false })
  await bundle.close()
  files.set(name.replace(/\.ts$/, '.js'), output[0].code)
}
writeFolder(folder, files)
