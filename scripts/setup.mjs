// Builds a fresh clone: installs the locked dependencies once, compiles, writes the pages of /docs/, and bundles the server. To
// run the service (--run), a fifth of the packages is enough: `dependencies` of package.json has those that build it, and
// `devDependencies` those that only tests and checks need.
// Imports only modules of Node.js, because no package is installed when it runs.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { removeStaleOutputs } from './stale-outputs.mjs'

const stamp = 'node_modules/.setup-stamp'

const run = (command, args) => {
  const { status } = spawnSync(command, args, {
    stdio: ['inherit', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

const refuseOldNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Node 20.19 or later is needed; this is ${process.versions.node}`)
  process.exit(1)
}

/** The content of the stamp after an installation: a hash of the lock file and the version of Node.js, and `run` or `all`. */
const stampOf = (extent) =>
  `${createHash('sha256').update(readFileSync('package-lock.json')).update(process.version).digest('hex')} ${extent}`

/** Packages of the lock file for this platform; those for running are not marked as development packages. */
const packagesFor = (extent) =>
  Object.entries(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages).filter(
    ([path, { dev, link, os = [process.platform], cpu = [process.arch] }]) =>
      path.includes('node_modules/') &&
      !link &&
      (extent === 'all' || !dev) &&
      os.includes(process.platform) &&
      cpu.includes(process.arch),
  ).length

/** Packages that were installed by hand, for tests too, stay: without a stamp, an installation becomes a whole one. */
const install = (wanted) => {
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  if (installed === stampOf('all') || installed === stampOf(wanted)) return
  const isWhole = installed.endsWith(' all') || (installed === '' && existsSync('node_modules'))
  const extent = isWhole ? 'all' : wanted
  console.error(`Installing about ${packagesFor(extent)} packages…`)
  const omitted = extent === 'run' ? ['--omit=dev'] : []
  run('npm', ['ci', ...omitted, '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(stamp, stampOf(extent))
}

/** The examples that are programs. */
const examples = () =>
  readdirSync('examples')
    .map((name) => `examples/${name}`)
    .filter((folder) => existsSync(`${folder}/tsconfig.json`))

const compile = (projects) => run(process.execPath, ['node_modules/typescript/bin/tsc', '-b', ...projects])

const build = (extent) => {
  console.error('Compiling…')
  removeStaleOutputs()
  compile(['packages/core'])
  run(process.execPath, ['scripts/describe-types.mjs'])
  compile(extent === 'run' ? [...examples(), 'packages/server'] : [])
  run(process.execPath, ['scripts/build-docs.mjs'])
  run(process.execPath, ['scripts/build-console.mjs'])
  run(process.execPath, ['scripts/bundle-programs.mjs'])
}

/** `extent`: `run` for the service alone, `all` for tests and checks too. */
export const setUp = (extent) => {
  refuseOldNode()
  install(extent)
  build(extent)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setUp(process.argv[2] === '--run' ? 'run' : 'all')
